import { queryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Playbook, PlaybookService, type Run } from '#shared/gen/platform/v1/playbook_pb.js';
import { consoleRpc } from '../../core/rpc.ts';
import { consoleStream } from '../../core/rpc-stream.ts';

/** Every playbook, by title. */
export const playbooksQuery = queryOptions({
  queryKey: ['playbooks'],
  queryFn: async ({ signal }): Promise<readonly Playbook[]> =>
    (await consoleRpc(PlaybookService.method.listPlaybooks, {}, signal)).playbooks,
});

/** The newest runs, without their steps. */
export const runsQuery = queryOptions({
  queryKey: ['playbook-runs'],
  queryFn: async ({ signal }): Promise<readonly Run[]> =>
    (await consoleRpc(PlaybookService.method.listRuns, { pageSize: 200 }, signal)).runs,
});

/** The text of a playbook. */
export const playbookTextQuery = (name: string) =>
  queryOptions({
    queryKey: ['playbook', name],
    queryFn: async ({ signal }) => consoleRpc(PlaybookService.method.getPlaybook, { name }, signal),
  });

/** What is wrong with a definition. */
export const checkQuery = (text: string) =>
  queryOptions({
    queryKey: ['playbook-check', text],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    queryFn: async ({ signal }) => consoleRpc(PlaybookService.method.checkPlaybook, { text }, signal),
  });

/** Pause before a stream that broke is opened again, in ms. */
const reopenAfter = 2_000;

export type WatchedRun = {
  readonly run: Run | undefined;
  /** Why it is not followed at this moment. */
  readonly error: Error | undefined;
};

/** Follows a run live, until it has ended. `again`: changes when an ended run goes on. */
export function useRun(id: string, again: number): WatchedRun {
  const [watched, setWatched] = useState<WatchedRun>({ run: undefined, error: undefined });
  // `again` opens the stream anew.
  useEffect(() => {
    const leaving = new AbortController();
    let timer: number | undefined;
    const follow = async (): Promise<void> => {
      try {
        for await (const { run } of consoleStream(PlaybookService.method.watchRun, { id }, leaving.signal))
          setWatched({ run, error: undefined });
      } catch (failure) {
        if (leaving.signal.aborted) return;
        const error = failure instanceof Error ? failure : new Error(String(failure));
        setWatched((before) => ({ ...before, error }));
        timer = window.setTimeout(() => void follow(), reopenAfter);
      }
    };
    void follow();
    return () => {
      leaving.abort();
      window.clearTimeout(timer);
    };
  }, [id, again]);
  return watched;
}
