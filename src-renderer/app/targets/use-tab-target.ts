import { useEffect, useRef, useState } from 'react';
import type { Target } from '#shared/api/targets.ts';
import { addressWith } from '../../core/address-with.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { useTargets } from '../../core/target-queries.ts';

/** Which target this tab reads, as far as that is known. */
export type TabTarget =
  /** Its address names none yet, or one that is being looked for. */
  | { readonly state: 'deciding'; readonly id?: undefined }
  /** There is nothing to read, or the targets were not listed. */
  | { readonly state: 'none'; readonly id?: undefined }
  | { readonly state: 'there'; readonly id: string }
  /** The address names one that is not among the targets. */
  | {
      readonly state: 'gone';
      readonly id: string;
      readonly others: readonly Target[];
      /** Why targets could not be listed: it may be among those. */
      readonly notListed: readonly string[];
    };

/**
 * Keeps the target of this tab in its address. An address without one gets the one the tab read before, as after a
 * menu of the desktop window or a link; in a new tab the person's last choice. There is one caller, the shell.
 */
export function useTabTarget(): TabTarget {
  const [address, go] = usePageAddress();
  const named = useClusterTarget();
  const { data, isPending, refetch } = useTargets();
  const before = useRef<string>(undefined);
  const wanted = named ?? before.current ?? data?.chosen;
  useEffect(() => {
    before.current = wanted;
    if (named === undefined && wanted !== undefined) go(addressWith(address, { target: wanted }), 'replace');
  }, [named, wanted, address, go]);
  // The list may be older than the address: a bundle is opened, and its link followed at once.
  const missing = named !== undefined && data !== undefined && !data.items.some(({ id }) => id === named);
  const [lookedFor, setLookedFor] = useState<string>();
  useEffect(() => {
    if (!missing || lookedFor === named) return;
    refetch().finally(() => setLookedFor(named));
  }, [missing, lookedFor, named, refetch]);
  if (named === undefined) return { state: isPending || wanted !== undefined ? 'deciding' : 'none' };
  if (!missing) return { state: 'there', id: named };
  if (lookedFor !== named) return { state: 'deciding' };
  return { state: 'gone', id: named, others: data.items, notListed: data.unmeasured };
}
