import { expressionOf, type LogQuery, numbersPerMatch } from './log-find.ts';
import { type LogMatches, matchesIn } from './log-matches.ts';
import type { SearchAnswer, SearchRequest } from './log-search-messages.ts';
import type { LogText } from './log-text.ts';
import { createNumberList } from './number-list.ts';

export type LogSearch = {
  /** Matches found so far; undefined without a query. The same object until something changes. */
  matches(): LogMatches | undefined;
  subscribe(listener: () => void): () => void;
  find(query: LogQuery | undefined): void;
  /** Looks through what came since. */
  extend(): void;
  close(): void;
};

/** Milliseconds the worker may stay silent before its expression is assumed never to finish. */
const patienceMs = 3000;

/**
 * Looks through a log in a worker, so that neither a long log nor an expression that backtracks without end holds up the
 * page. The worker and its copy of the text are there only once something was looked for.
 */
export function createLogSearch(log: LogText): LogSearch {
  const listeners = new Set<() => void>();
  let worker: Worker | undefined;
  let given = 0;
  let id = 0;
  let found = createNumberList(3);
  let current: LogMatches | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;

  const tell = (next: LogMatches | undefined) => {
    current = next;
    for (const listener of listeners) listener();
  };
  const dismiss = () => {
    clearTimeout(watchdog);
    worker?.terminate();
    worker = undefined;
    given = 0;
  };
  const giveUp = (trouble: string) => {
    dismiss();
    if (current !== undefined) tell({ ...current, done: true, trouble });
  };
  const watch = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => {
      const from = ((current?.searched ?? 0) + 1).toLocaleString('en');
      giveUp(
        `Stopped after ${patienceMs / 1000} s at line ${from} or soon after: the expression takes too long.`,
      );
    }, patienceMs);
  };
  const hear = ({ data }: MessageEvent<SearchAnswer>) => {
    if (data.id !== id || current === undefined) return;
    for (const value of data.matches) found.push(value);
    if (data.done || data.capped) clearTimeout(watchdog);
    else watch();
    const { searched, capped } = data;
    tell({ ...current, count: found.length / numbersPerMatch, searched, capped, done: data.done || capped });
  };
  const send = (request: SearchRequest) => {
    if (worker === undefined) {
      worker = new Worker(new URL('./log-search-worker.ts', import.meta.url), { type: 'module' });
      worker.addEventListener('message', hear);
      worker.addEventListener('error', () => giveUp('The search could not be started in this browser.'));
    }
    worker.postMessage(request);
  };
  const give = () => {
    if (given === log.pieces.length) return false;
    send({ kind: 'pieces', pieces: log.pieces.slice(given) });
    given = log.pieces.length;
    return true;
  };
  return {
    matches: () => current,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    find(query) {
      id++;
      found = createNumberList(3 * 1024);
      clearTimeout(watchdog);
      // A worker that is deep in an expression hears nothing: only a new one begins at once.
      if (current?.query.regex === true && !current.done) dismiss();
      if (query === undefined || query.text === '') return tell(undefined);
      const expression = expressionOf(query);
      const empty = { ...matchesIn(found), query, count: 0, searched: 0, capped: false };
      if (typeof expression === 'string') return tell({ ...empty, done: true, trouble: expression });
      tell({ ...empty, done: false });
      give();
      send({ kind: 'find', id, query });
      watch();
    },
    extend() {
      if (current === undefined || current.trouble !== undefined || current.capped) return;
      if (!give()) return;
      tell({ ...current, done: false });
      watch();
    },
    close() {
      dismiss();
      listeners.clear();
    },
  };
}
