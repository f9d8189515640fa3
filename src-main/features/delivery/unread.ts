import type { Read } from '../../sources/code-host/index.ts';
import type { Known } from './lineage-steps.ts';

/** Collects what could not be read for several repositories, so that one reason is one sentence. */
export type Unread = {
  /** `what`: such as `The registry was not read for`; `reason`: a clause. */
  add(what: string, repo: string, reason: string): void;
  /**
   * Returns the result of a read, and notes it when it failed or an older answer is used instead. `what`:
   * such as `Pull requests were`.
   */
  known<T>(what: string, repo: string, read: Read<T>): Known<T>;
  /** Adds a complete sentence. */
  say(sentence: string): void;
  sentences(): string[];
};

/** Names that one sentence lists; beyond it only counts. */
const mostNamed = 3;

export function gatherUnread(): Unread {
  const repos = new Map<string, { what: string; reason: string; repos: Set<string> }>();
  const said = new Set<string>();
  const add = (what: string, repo: string, reason: string): void => {
    const key = JSON.stringify([what, reason]);
    const entry = repos.get(key) ?? { what, reason, repos: new Set() };
    entry.repos.add(repo);
    repos.set(key, entry);
  };
  return {
    add,
    known(what, repo, read) {
      if (!read.ok) {
        add(`${what} not read for`, repo, read.reason);
        return { ok: false, reason: read.reason };
      }
      if (read.stale !== undefined) add(`${what} not refreshed for`, repo, read.stale);
      return { ok: true, value: read.value };
    },
    say: (sentence) => void said.add(sentence),
    sentences: () => [
      ...[...repos.values()].map(({ what, reason, repos }) => `${what} ${listed([...repos])}: ${reason}.`),
      ...said,
    ],
  };
}

function listed(names: readonly string[]): string {
  const named = names.slice(0, mostNamed).join(', ');
  return names.length > mostNamed ? `${named} and ${names.length - mostNamed} more` : named;
}
