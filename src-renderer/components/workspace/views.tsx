import { Button, Popover } from '@mantine/core';
import { Suspense, useState } from 'react';
import { IconBookmark } from '../../core/icons/icons.ts';
import { loadPart } from '../../core/load-part.tsx';
import { usePageAddress } from '../../core/page-address.ts';
import { isTabName, type TabName } from '../../core/tabs.ts';
import { FailureBoundary } from '../failure-boundary.tsx';
import { Waiting } from '../skeleton.tsx';

const ViewsMenu = loadPart(async () => (await import('./views-menu.tsx')).ViewsMenu);

/** Pages that list nothing. */
const listless: readonly TabName[] = ['forgeStudio', 'settings', 'workspace'];

/** The saved views of the open page, and the way to save the one that is shown, in the head of every page that lists. */
export function Views() {
  const [{ tab }] = usePageAddress();
  const [opened, setOpened] = useState(false);
  if (tab === null || !isTabName(tab) || listless.includes(tab)) return null;
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={320} trapFocus returnFocus>
      <Popover.Target>
        <Button
          leftSection={<IconBookmark size={14} stroke={2} aria-hidden />}
          onPointerEnter={ViewsMenu.preload}
          onFocus={ViewsMenu.preload}
          onClick={() => setOpened(!opened)}
          aria-haspopup="dialog"
        >
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Views">
        <FailureBoundary part="This menu">
          <Suspense fallback={<Waiting label="Opening the views" />}>
            <ViewsMenu tab={tab} onClose={() => setOpened(false)} />
          </Suspense>
        </FailureBoundary>
      </Popover.Dropdown>
    </Popover>
  );
}
