import { useEffect, useState } from 'react';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, createCall } from '../../core/api.ts';
import { sentenceOf } from '../../core/failure.ts';

export type SearchAnswer = CallAnswer<RouteOf<'search.find'>>;

/** Milliseconds without a key after which the console is asked. */
const quietMs = 60;
/** Milliseconds after which what was still being read is asked for again. */
const againMs = 400;
/** Results of a group, and of the only group that is shown. */
const usual = '6';
const most = '100';

type SearchOptions = {
  readonly query: string;
  readonly target: string | undefined;
  /** What is in it stands before others. */
  readonly namespace: string | undefined;
  /** True while one group is shown alone. */
  readonly narrowed: boolean;
};

export type Search = {
  /** The newest answer; that of an earlier query while this one's is on its way. */
  readonly answer: SearchAnswer | undefined;
  /** True while the answer is that of an earlier query. */
  readonly outdated: boolean;
  /** Why the console was not searched, a sentence. */
  readonly failure: string | undefined;
};

type Known = { readonly question: string; readonly answer?: SearchAnswer; readonly failure?: string };

/** Asks the console as one types: after a short quiet, the newest query only. */
export function useSearch({ query, target, namespace, narrowed }: SearchOptions): Search {
  const [known, setKnown] = useState<Known>({ question: '' });
  const q = query.trim();
  const limit = narrowed ? most : usual;
  const question = q === '' ? '' : JSON.stringify([q, target, namespace, limit]);
  useEffect(() => {
    if (q === '') return setKnown({ question: '' });
    const leaving = new AbortController();
    const { signal } = leaving;
    const find = createCall((url, init) => fetch(url, { ...init, signal }));
    let timer = 0;
    const ask = () => {
      find('search.find', { query: { q, target, namespace, limit } }).then(
        (answer) => {
          if (signal.aborted) return;
          setKnown({ question, answer });
          if (answer.pending) timer = window.setTimeout(ask, againMs);
        },
        (error: unknown) => {
          if (!signal.aborted) setKnown({ question, failure: sentenceOf(error) });
        },
      );
    };
    timer = window.setTimeout(ask, quietMs);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [q, target, namespace, limit, question]);
  return { answer: known.answer, outdated: known.question !== question, failure: known.failure };
}
