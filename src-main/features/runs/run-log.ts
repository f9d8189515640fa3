import { Readable } from 'node:stream';
import type { Reading } from '#shared/api/reading.ts';
import type { StreamAnswer } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { CodeHost } from '../../sources/code-host/index.ts';
import { NotTrusted, readArchive } from './log-archive.ts';
import { logText, shownFiles } from './log-text.ts';
import { spool } from './spool.ts';
import { createTurns } from './turns.ts';

const mega = 1024 * 1024;

/** Limits on reading logs. Times in ms. */
export const logLimits = {
  /** Archives that are worked on at a time; each takes room on the disk until its text has been read. */
  archives: 2,
  /** Longest wait for a turn. */
  patience: 10_000,
  /** Bytes of an archive as it comes. */
  archiveBytes: 100 * mega,
  /** Longest download time of an archive. */
  archiveTime: 60_000,
  /** Bytes of text that are shown. */
  textBytes: 50 * mega,
  /** Longest pause of a reader: a stalled reader must not keep others waiting. */
  readerPause: 60_000,
};

/** Returns a run's log as text. `signal` aborts when the caller is done, disconnected, or must end. */
export type RunLogs = (repo: string, runId: number, signal: AbortSignal) => Promise<StreamAnswer>;

/**
 * Reads logs of runs; the answer is JSON that says why when the code host does not give it (CON-009): their archive is put by on the disk, judged before anything of it is answered, and inflated as
 * fast as the caller reads. Throws `Refused` for an archive that is not to be trusted, `TooManyRequests` when too many
 * are read already, and what the code host throws.
 */
export function createRunLogs(codeHost: CodeHost, limits = logLimits, now = Date.now): RunLogs {
  const turns = createTurns(limits.archives, limits.patience);

  return async (repo, runId, signal) => {
    const giveBack = await turns.take(signal);
    if (giveBack === undefined) {
      throw new ConsoleError(
        'TooManyRequests',
        `${limits.archives} logs are being read already: try again in a moment.`,
        { 'retry-after': String(Math.ceil(limits.patience / 1000)) },
      );
    }
    const over = new AbortController();
    let remove = async (): Promise<void> => undefined;
    const end = async (): Promise<void> => {
      over.abort();
      await remove();
      giveBack();
    };
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(limits.archiveTime)]);
      const spooled = await spool(archiveOf(codeHost, { repo, runId }, limits.archiveBytes, inTime));
      remove = spooled.remove;
      const files = shownFiles(await readArchive(spooled.handle));
      // Also for the caller who left before the first piece: what was never begun has no end of its own.
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) await end();
      return {
        type: 'text/plain',
        pieces: paced(logText(files, limits.textBytes, over.signal), limits.readerPause, over.signal, end),
      };
    } catch (error) {
      await end();
      if (error instanceof SourceAway) return unavailable(error.message, now());
      throw error instanceof NotTrusted ? refused(repo, runId, error.message) : error;
    }
  };
}

/** The code host does not give a log, or not all of it; the message says why. */
class SourceAway extends ConsoleError {
  constructor(message: string, options?: ErrorOptions) {
    super('Unavailable', message, {}, options);
  }
}

/** The answer of a read whose source is away: 200, with the reason. `readAt` in epoch ms. */
function unavailable(reason: string, readAt: number): StreamAnswer {
  const reading: Reading = {
    source: 'unavailable',
    complete: false,
    read_at: new Date(readAt).toISOString(),
    unmeasured: [reason],
  };
  return { type: 'application/json', pieces: Readable.from([JSON.stringify(reading)]) };
}

/** The archive as it comes. Throws `Refused` when it is too large, `SourceAway` when it does not come or breaks off. */
async function* archiveOf(
  codeHost: CodeHost,
  { repo, runId }: { readonly repo: string; readonly runId: number },
  most: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const bytes of await codeHost.runLogs(repo, runId, signal)) {
      signal.throwIfAborted();
      size += bytes.byteLength;
      if (size > most) throw refused(repo, runId, `it is larger than ${Math.round(most / mega)} MB`);
      yield bytes;
    }
  } catch (error) {
    if (error instanceof ConsoleError)
      throw error.name === 'Unavailable' ? new SourceAway(error.message, { cause: error }) : error;
    throw new SourceAway(
      signal.aborted
        ? `The log of run ${runId} in ${repo} was not read: its archive took too long to come. Try again.`
        : `The log of run ${runId} in ${repo} was not read: its archive broke off on the way. Try again.`,
      { cause: error },
    );
  }
}

function refused(repo: string, runId: number, why: string): ConsoleError {
  return new ConsoleError(
    'Refused',
    `The log archive of run ${runId} in ${repo} is refused: ${why}. Open the run on the code host to read its log.`,
  );
}

/** Pieces while the reader keeps reading; `end` when they are all read, and for a reader who pauses too long. */
async function* paced(
  pieces: AsyncIterable<string>,
  pause: number,
  over: AbortSignal,
  end: () => Promise<void>,
): AsyncGenerator<string> {
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const piece of pieces) {
      timer = setTimeout(end, pause);
      yield piece;
      clearTimeout(timer);
    }
  } catch (error) {
    if (!over.aborted) throw error;
    yield '\n[The log stops here: it was not read on for too long, or the console is closing. Ask for it again.]\n';
  } finally {
    clearTimeout(timer);
    await end();
  }
}
