import type { Symptom } from '#shared/api/symptoms.ts';
import type { TextReport } from '#shared/api/troubleshoot.ts';
import { ConsoleError } from '#shared/errors.ts';
import { createSideThread } from '../../../base/side-thread.ts';
import { diagnoseText } from './text.ts';

/** The message to the thread that explains a text. */
export type TextRequest = { readonly text: string; readonly catalogue: readonly Symptom[] };

/** Characters that are explained on the main thread: some 10 ms. */
const smallest = 16 * 1024;
/** Milliseconds that explaining a text may take: the longest takes a second. */
const longest = 30_000;

/** Explains a pasted text; throws Unavailable while too many wait. */
export type TextDiagnosis = (
  text: string,
  catalogue: readonly Symptom[],
  signal: AbortSignal,
) => Promise<TextReport>;

/** Creates the explainer of pasted texts: a long one is explained in a thread of its own. */
export function createTextDiagnosis(): TextDiagnosis {
  const thread = createSideThread({ folder: import.meta.dirname, name: 'text-worker', longest, memory: 256 });
  return async (text, catalogue, signal) => {
    if (text.length <= smallest) return diagnoseText(text, catalogue);
    const request: TextRequest = { text, catalogue };
    const work = await thread.run(request, signal);
    // The thread answers with what `diagnoseText` returns.
    if (work.state === 'done') return work.value as TextReport;
    throw new ConsoleError(
      'Unavailable',
      work.state === 'busy'
        ? 'Other long texts are being explained: retry in a few seconds.'
        : 'The text could not be explained: paste less of it.',
      { 'Retry-After': '5' },
    );
  };
}
