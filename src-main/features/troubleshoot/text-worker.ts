import { parentPort } from 'node:worker_threads';
import { diagnoseText } from './text.ts';
import type { TextRequest } from './text-diagnosis.ts';

/** The thread that explains one pasted text. */
parentPort?.once('message', ({ text, catalogue }: TextRequest) =>
  parentPort?.postMessage(diagnoseText(text, catalogue)),
);
