import { setTimeout as delay } from 'node:timers/promises';
import type { PageAddress } from '#shared/page-address.ts';
import { errorMessage } from '../../base/error-message.ts';

/** Something that is found by its name, or by words beside it. */
export type Entry = {
  readonly id: string;
  readonly name: string;
  /** Other words it is found by, such as a commit's title. */
  readonly also?: string | undefined;
  readonly kind?: string | undefined;
  readonly detail?: string | undefined;
  readonly state?: 'healthy' | 'working' | 'failing' | 'idle' | undefined;
  readonly place: PageAddress;
};

/** The entries of a source, and a sentence for each part of it that was not searched. */
export type Entries = { readonly entries: readonly Entry[]; readonly notSearched: readonly string[] };

/** Milliseconds that a search waits for a source; the next one has what came later. */
const patienceMs = 25;
/** Entries are read again, behind a search that has the older ones, after so many milliseconds. */
const freshMs = 15_000;

/** Keeps the entries of a source outside, such as the code host. `undefined` while they are read for the first time. */
export function keepEntries(read: () => Promise<Entries>): () => Promise<Entries | undefined> {
  let kept: { readonly entries: Entries; readonly at: number } | undefined;
  let reading: Promise<void> | undefined;
  return async () => {
    if (kept === undefined || performance.now() - kept.at > freshMs)
      reading ??= read()
        .catch((error: unknown) => ({
          entries: [],
          notSearched: [errorMessage(error)],
        }))
        .then((entries) => {
          kept = { entries, at: performance.now() };
          reading = undefined;
        });
    if (kept === undefined) await Promise.race([reading, delay(patienceMs, undefined, { ref: false })]);
    return kept?.entries;
  };
}
