import { parentPort } from 'node:worker_threads';
import { diagnoseText } from './text.ts';
import type { TextRequest } from './text-diagnosis.ts';

/** The thread that explains one pasted text. */
parentPort?.once('message', async ({ text, catalogue }: TextRequest) => {
  parentPort?.postMessage(await diagnoseText(text, catalogue));
});
