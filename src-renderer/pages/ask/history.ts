import type { ChatAnswer } from '#shared/api/chat.ts';

/** A place that an answer refers to, by its number where its text does. */
export type Place = {
  readonly number?: number;
  readonly label: string;
  /** Address inside the console. */
  readonly address: string;
  readonly quote: string;
};

/** One question with what was answered. */
export type Entry = {
  readonly id: string;
  readonly question: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly state: 'reading' | 'answered' | 'failed';
  readonly text: string;
  /** What read the question or wrote the answer. */
  readonly by: string;
  readonly tool?: string;
  readonly places: readonly Place[];
  readonly notRead: readonly string[];
  /** Only in memory: a code is not kept anywhere. */
  readonly confirm?: ChatAnswer['confirm'];
};

/** Entries that are kept, the newest. */
const most = 50;
const storageKey = 'console.ask';

type Kept = { readonly person: string; readonly entries: readonly Entry[] };

/** The questions of this tab, kept until it is closed: for one person, and shared by the page and the panel. */
export function createHistory(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  let person = '';
  let entries: readonly Entry[] = [];
  const listeners = new Set<() => void>();
  const set = (next: readonly Entry[]): void => {
    entries = next.slice(-most);
    const kept: Kept = {
      person,
      entries: entries.filter(({ state }) => state !== 'reading').map(withoutCode),
    };
    try {
      storage.setItem(storageKey, JSON.stringify(kept));
    } catch {
      // A full or closed storage: the questions are kept in memory only.
    }
    for (const listener of listeners) listener();
  };
  return {
    /** Opens the history of a person: that of another is forgotten. */
    open(email: string): void {
      if (person === email && email !== '') return;
      person = email;
      entries = readKept(storage, email);
      for (const listener of listeners) listener();
    },
    entries: (): readonly Entry[] => entries,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add: (entry: Entry): void => set([...entries, entry]),
    change: (id: string, change: (entry: Entry) => Entry): void =>
      set(entries.map((entry) => (entry.id === id ? change(entry) : entry))),
    /** Takes the proposals away: one is open in a session at most. */
    closeProposals: (): void => set(entries.map(({ confirm: _, ...entry }) => entry)),
    clear: (): void => set([]),
  };
}

function withoutCode({ confirm, ...entry }: Entry): Entry {
  return confirm === undefined ? entry : { ...entry, text: `${confirm.summary} Not confirmed here.` };
}

function readKept(storage: Pick<Storage, 'getItem' | 'removeItem'>, email: string): readonly Entry[] {
  try {
    const kept = JSON.parse(storage.getItem(storageKey) ?? 'null') as Kept | null;
    if (kept?.person === email && Array.isArray(kept.entries)) return kept.entries;
    storage.removeItem(storageKey);
  } catch {
    // Not ours, or of another version: there is no history then.
  }
  return [];
}
