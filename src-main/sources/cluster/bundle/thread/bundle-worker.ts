import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { BundleProgress } from '#shared/api/targets.ts';
import { errorMessage } from '../../../../base/error-message.ts';
import type { PodObject } from '../../../../cluster-model/kinds/index.ts';
import { createOpenFiles } from '../archive/open-files.ts';
import { openContent } from '../open-content.ts';
import { createAnswers } from './answers.ts';
import type { FromThread, ThreadStart, ToThread } from './messages.ts';
import type { Answers } from './questions.ts';

/**
 * The thread that holds a bundle: it reads it, and answers what is asked of it. What a bundle holds is parsed here and
 * nowhere else, so that the program stays responsive whatever is in it.
 */

type Running = { readonly parts: AsyncGenerator<unknown>; readonly stop: AbortController };

if (parentPort !== null) await serve(parentPort, workerData);

async function serve(port: MessagePort, { path, spool }: ThreadStart): Promise<void> {
  const tell = (message: FromThread): void => port.postMessage(message);
  const open = createOpenFiles();
  const running = new Map<number, Running>();
  let answers: Answers | undefined;
  port.on('message', (message: ToThread) => {
    if (message.kind === 'close') void open.closeAll().finally(() => process.exit());
    else if (answers !== undefined) void answer(message, { tell, answers, running });
  });
  try {
    const onProgress = (progress: BundleProgress): void => tell({ kind: 'progress', progress });
    const onPod = (pod: PodObject): void => tell({ kind: 'pod', pod });
    const { facts, content, name } = await openContent({ path, spool, open, onProgress, onPod });
    answers = createAnswers(content, name, facts.takenAt);
    tell({ kind: 'opened', facts });
  } catch (error) {
    tell({ kind: 'refused', reason: errorMessage(error) });
  }
}

type Serving = {
  readonly tell: (message: FromThread) => void;
  readonly answers: Answers;
  readonly running: Map<number, Running>;
};

async function answer(
  message: Exclude<ToThread, { kind: 'close' }>,
  { tell, answers, running }: Serving,
): Promise<void> {
  const { id } = message;
  if (message.kind === 'ask') {
    const stop = new AbortController();
    // A question and what is asked come from one typed call (bundle-thread.ts).
    const handler = answers[message.question] as (handler: unknown, signal: AbortSignal) => Running['parts'];
    running.set(id, { parts: handler(message.request, stop.signal), stop });
  }
  const request = running.get(id);
  if (request === undefined) return;
  if (message.kind === 'stop') {
    running.delete(id);
    request.stop.abort();
    await request.parts.return(undefined).catch(() => undefined);
    return;
  }
  try {
    const { done, value } = await request.parts.next();
    if (done !== true) return tell({ kind: 'part', id, part: tight(value) });
    running.delete(id);
    tell({ kind: 'end', id });
  } catch (error) {
    running.delete(id);
    tell({ kind: 'broken', id, reason: errorMessage(error) });
  }
}

/** A piece of a buffer is handed over with all of that buffer: bytes are copied out of it. */
function tight(part: unknown): unknown {
  return typeof part === 'object' && part !== null && 'bytes' in part && part.bytes instanceof Uint8Array
    ? { ...part, bytes: new Uint8Array(part.bytes) }
    : part;
}
