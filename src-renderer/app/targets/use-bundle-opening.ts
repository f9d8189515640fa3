import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Bundle, BundleProgress } from '#shared/api/targets.ts';
import { call } from '../../core/api.ts';
import { sentenceOf } from '../../core/failure.ts';
import { follow } from '../../core/follow.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { targetsQuery } from '../../core/target-queries.ts';
import { type BundleSource, sendBundle, sourceName } from './send-bundle.ts';

/** How far the opening of a bundle is. */
export type Opening =
  | {
      readonly phase: 'sending';
      readonly name: string;
      readonly sent: number;
      readonly bytes: number | undefined;
    }
  | {
      readonly phase: 'reading';
      readonly name: string;
      /** The bundle's. */
      readonly id: string;
      readonly progress: BundleProgress | undefined;
    }
  | { readonly phase: 'failed'; readonly name: string; readonly reason: string };

export type BundleOpening = {
  /** Undefined while nothing is being opened. */
  readonly opening: Opening | undefined;
  readonly open: (source: BundleSource) => void;
  /** Says of something that was given why it cannot be opened. What is being opened goes on. */
  readonly refuse: (name: string, reason: string) => void;
  /** Ends it; nothing of the bundle stays on the console. Also puts away a failure. */
  readonly cancel: () => void;
};

type Outcomes = { readonly onOpen: () => void; readonly onFailed: () => void };

/** Opens bundles, one at a time, and chooses each once it is open. Memoise what hears of the end. */
export function useBundleOpening({ onOpen, onFailed }: Outcomes): BundleOpening {
  const client = useQueryClient();
  const [{ tab }, go] = usePageAddress();
  const tabNow = useRef(tab);
  tabNow.current = tab;
  const [opening, setOpening] = useState<Opening>();
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);

  const open = useCallback(
    (source: BundleSource) => {
      const name = sourceName(source);
      const aborter = new AbortController();
      const { signal } = aborter;
      let bundle: Bundle | undefined;
      stop.current?.();
      stop.current = () => {
        aborter.abort(new Error('Cancelled.'));
        // The console forgets it in its own time; there is nobody left to tell when it cannot.
        if (bundle !== undefined) call('bundles.close', { params: { id: bundle.id } }).catch(() => undefined);
      };
      const bytes = 'file' in source ? source.file.size : undefined;
      const work = async (): Promise<void> => {
        setOpening({ phase: 'sending', name, sent: 0, bytes });
        const sent = await sendBundle(
          source,
          (count) => setOpening({ phase: 'sending', name, sent: count, bytes }),
          signal,
        );
        bundle = sent;
        if (signal.aborted) return stop.current?.();
        setOpening({ phase: 'reading', name, id: sent.id, progress: undefined });
        const last = await progressOf(sent.id, signal, (progress) =>
          setOpening({ phase: 'reading', name, id: sent.id, progress }),
        );
        if (last.state !== 'open') throw new Error(last.detail ?? 'The console ended the opening.');
        stop.current = undefined;
        await call('targets.select', { body: { target: sent.target } });
        await client.invalidateQueries({ queryKey: targetsQuery.queryKey });
        setOpening(undefined);
        onOpen();
        // Who diagnoses goes on to diagnose this one.
        go({ tab: tabNow.current === 'troubleshoot' ? 'troubleshoot' : 'overview', target: sent.target });
      };
      work().catch((error: unknown) => {
        if (signal.aborted) return;
        stop.current = undefined;
        setOpening({ phase: 'failed', name, reason: sentenceOf(error) });
        onFailed();
      });
    },
    [client, go, onOpen, onFailed],
  );
  const cancel = useCallback(() => {
    stop.current?.();
    stop.current = undefined;
    setOpening(undefined);
  }, []);
  const refuse = useCallback(
    (name: string, reason: string) =>
      setOpening((now) =>
        now === undefined || now.phase === 'failed' ? { phase: 'failed', name, reason } : now,
      ),
    [],
  );
  return { opening, open, refuse, cancel };
}

/** Follows the opening of a bundle to its end. Rejects when the console no longer tells of it. */
async function progressOf(
  id: string,
  signal: AbortSignal,
  onProgress: (progress: BundleProgress) => void,
): Promise<BundleProgress> {
  const last = await follow(
    'bundles.progress',
    { params: { id } },
    {
      signal,
      on: {
        progress(progress) {
          if (progress.state === 'opening') onProgress(progress);
        },
      },
      isLast: ({ data }) => data.state !== 'opening',
    },
  ).catch(() => undefined);
  signal.throwIfAborted();
  if (last === undefined)
    throw new Error('The console no longer tells how far the opening is. Look among the targets.');
  return last.data;
}
