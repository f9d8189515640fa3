import { type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { type Go, useHref, usePageAddress } from '../../core/page-address.ts';
import {
  type FindingFilter,
  type FindingRow,
  inOrder,
  isPast,
  marks,
  narrowedRows,
  rowToRead,
} from './finding-rows.ts';
import { findingsAddress } from './troubleshoot-address.ts';

/** The findings as the page handles them: what is narrowed to, what is open, and the ways to change both. */
export type FindingList = {
  readonly all: readonly FindingRow[];
  readonly rows: readonly FindingRow[];
  readonly filter: FindingFilter;
  /** The one to read: the one the address names, else the first; none where nothing is there any more. */
  readonly open: FindingRow | undefined;
  /** Finding named in the address that is not in the list. */
  readonly missing: string | undefined;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly addressOf: (key: string) => string;
  readonly show: (key: string, how?: Parameters<Go>[1]) => void;
  readonly narrow: (change: FindingFilter, how?: Parameters<Go>[1]) => void;
};

/** Keeps the list in the address. Memoise the rows. */
export function useFindingList(all: readonly FindingRow[]): FindingList {
  const [address, go] = usePageAddress();
  const href = useHref();
  const input = useRef<HTMLInputElement>(null);
  const { q, namespace, state, record } = address;
  const filter = useMemo<FindingFilter>(
    () => ({
      q: q ?? undefined,
      namespace: namespace ?? undefined,
      mark: marks.find((known) => known === state),
    }),
    [q, namespace, state],
  );
  const rows = useMemo(() => inOrder(narrowedRows(all, filter)), [all, filter]);
  const [reading, setReading] = useState<string>();
  const named = record === null ? undefined : all.find(({ key }) => key === record);
  // Where all of it was put right, that is to be read, and not what is gone.
  const nothingNow = filter.mark === undefined && all.every(isPast);
  const first = nothingNow ? undefined : rowToRead(rows, reading);
  const open = record === null ? first : named;
  // What is open without being named stays so while others come in; going back from a named one comes back to it.
  if (record === null && open !== undefined && open.key !== reading) setReading(open.key);
  const show = useCallback<FindingList['show']>(
    (key, how = 'push') => go(findingsAddress(address, { record: key }), how),
    [go, address],
  );
  const narrow = useCallback<FindingList['narrow']>(
    (change, how = 'push') => {
      const next = { ...filter, ...change };
      go(
        findingsAddress(address, {
          q: next.q === '' ? undefined : next.q,
          namespace: next.namespace,
          state: next.mark,
          // What is open may be none of what is narrowed to.
          record: undefined,
        }),
        how,
      );
    },
    [go, address, filter],
  );
  return {
    all,
    rows,
    filter,
    open,
    missing: record !== null && named === undefined ? record : undefined,
    input,
    addressOf: (key) => href(findingsAddress(address, { record: key })),
    show,
    narrow,
  };
}
