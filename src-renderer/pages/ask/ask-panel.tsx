import { ActionIcon, Tooltip } from '@mantine/core';
import { Drawer } from '../../components/dialogs/drawer.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { IconX } from '../../core/icons/icons.ts';
import css from './ask.module.css';
import { Conversation } from './conversation.tsx';

/** Ask beside the open page: it knows the page's target and what is open on it. */
export function AskPanel({ onClose }: { readonly onClose: () => void }) {
  const target = useClusterTarget();
  return (
    <Drawer name="Ask" onClose={onClose}>
      <div className={css.panel}>
        <header className={css.panelHead}>
          <h2>Ask</h2>
          {target !== undefined && <span className={css.quiet}>on {target}</span>}
          <span className={css.panelTools}>
            <PageLink to={{ tab: 'ask' }}>Open as page</PageLink>
            <Tooltip label="Close (Esc)">
              <ActionIcon variant="transparent" onClick={onClose} aria-label="Close Ask">
                <IconX size={14} stroke={2} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </span>
        </header>
        <Conversation />
      </div>
    </Drawer>
  );
}
