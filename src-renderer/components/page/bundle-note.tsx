import { Button } from '@mantine/core';
import type { Target } from '#shared/api/targets.ts';
import { IconPackage } from '../../core/icons/icons.ts';
import { useOpenTargets } from '../../core/open-targets.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { readsCluster } from '../../core/tabs.ts';
import { useCurrentTarget } from '../../core/target-queries.ts';
import { Banner } from '../banner.tsx';
import { TimeAgo } from '../time-ago.tsx';

/** The bundle that the open page is read from, when it is one. */
export function useShownBundle(): Target | undefined {
  const [{ tab }] = usePageAddress();
  const { target } = useCurrentTarget();
  if (target?.kind !== 'bundle' || tab === null || !readsCluster(tab)) return undefined;
  return target;
}

/** Says that a page shows an offline bundle, how old what it shows is, and by what that is known. */
export function BundleNote({ bundle: { name, taken_at, taken_by } }: { readonly bundle: Target }) {
  const { pick } = useOpenTargets();
  return (
    <Banner
      look="note"
      icon={<IconPackage size={14} stroke={2} aria-hidden />}
      title="Offline bundle."
      action={
        <Button size="xs" onClick={pick}>
          Choose another target
        </Button>
      }
    >
      <code>{name}</code>{' '}
      {taken_at === undefined ? (
        'does not say when it was taken.'
      ) : (
        <>
          was taken <TimeAgo at={Date.parse(taken_at)} fromNow />
          {taken_by !== undefined && `, by its ${taken_by}`}. It does not change.
        </>
      )}
    </Banner>
  );
}
