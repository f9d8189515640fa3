import { z } from 'zod';
import { errorNameOf } from '#shared/errors.ts';
import { pathOf } from '../../core/api.ts';
import { CallFailed, errorSentence } from '../../core/call-route.ts';
import { sentenceOf } from '../../core/failure.ts';
import { createLogText, type LogText } from './log-text.ts';

/** The run whose log to read. */
export type LogSource = { readonly repo: string; readonly runId: number };

/** Progress of reading a log. `stopped`: by the person; `broken`: the stream started but did not finish. */
export type LogProgress = {
  readonly phase: 'asking' | 'reading' | 'done' | 'stopped' | 'broken' | 'refused';
  readonly lines: number;
  readonly bytes: number;
  /** Error that refused or interrupted the stream. */
  readonly error?: CallFailed;
};

export type LogReading = {
  readonly log: LogText;
  /** The same object until something changed. */
  progress(): LogProgress;
  subscribe(listener: () => void): () => void;
  /** Ends the reading; what came stays. */
  stop(): void;
};

/** Milliseconds between notifications of new lines. */
const tellEveryMs = 100;

/** The address of a run's log. */
export function logAddress({ repo, runId }: LogSource): string {
  return `${pathOf('runs.logs')}?${new URLSearchParams({ repo, run_id: String(runId) })}`;
}

/**
 * Begins to read the log at an address; `levels` judges lines by the level their program wrote. Lines are there as they arrive. Never throws: what goes wrong is in the progress.
 */
export function readLog(address: string, { levels = false } = {}): LogReading {
  const log = createLogText({ levels });
  const listeners = new Set<() => void>();
  const aborter = new AbortController();
  let current: LogProgress = { phase: 'asking', lines: 0, bytes: 0 };
  let bytes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (phase: LogProgress['phase'], error?: CallFailed) => {
    clearTimeout(timer);
    timer = undefined;
    current = { phase, lines: log.lines, bytes, ...(error !== undefined && { error }) };
    for (const listener of listeners) listener();
  };
  const take = async (): Promise<void> => {
    const response = await fetch(address, { signal: aborter.signal });
    if (!response.ok || response.body === null) return tell('refused', await refusalOf(response));
    if (response.headers.get('Content-Type')?.startsWith('application/json') === true)
      return tell('refused', notRead(await response.json()));
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      log.append(decoder.decode(value, { stream: true }));
      timer ??= setTimeout(() => tell('reading'), tellEveryMs);
    }
    log.append(decoder.decode());
    log.finish();
    tell('done');
  };
  take().catch((error: unknown) => {
    log.finish();
    if (aborter.signal.aborted) return tell('stopped');
    const silent = new CallFailed(
      'Unavailable',
      'The console did not answer. Is it still running?',
      undefined,
    );
    const broken = new CallFailed('Unavailable', sentenceOf(error), undefined);
    tell(bytes === 0 ? 'refused' : 'broken', bytes === 0 ? silent : broken);
  });
  return {
    log,
    progress: () => current,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => aborter.abort(),
  };
}

/** What the console answers in place of a log that its source did not give. */
function notRead(answer: unknown): CallFailed {
  const reading = z.object({ unmeasured: z.array(z.string()) }).safeParse(answer);
  const reason = reading.success ? reading.data.unmeasured.join(' ') : '';
  return new CallFailed('Unavailable', reason === '' ? 'The log was not read.' : reason, undefined);
}

async function refusalOf(response: Response): Promise<CallFailed> {
  const sentence = errorSentence(await response.text().catch(() => ''));
  const retryAfter = response.headers.get('Retry-After');
  return new CallFailed(
    errorNameOf(response.status),
    sentence ?? `The console answered ${response.status}.`,
    response.status,
    retryAfter === null ? {} : { 'Retry-After': retryAfter },
  );
}

/** The sentence the console ends a log with when it is not the whole log, such as `The log goes on: 50 MB of ...`. */
export function endNote(log: LogText): string | undefined {
  return /^\[((?:The|This) .+\.)\]$/.exec(log.line(log.lines - 1))?.[1];
}
