import type { BundleProgress } from '#shared/api/targets.ts';
import type { PodObject } from '../../../../cluster-model/kinds/index.ts';
import type { BundleFacts, Question } from './questions.ts';

/** Start data of the thread that holds a bundle. */
export type ThreadStart = {
  readonly path: string;
  readonly spool: string;
};

/** To the thread: a question, more of its answer, that no more of it is wanted, or that it is to end. */
export type ToThread =
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly question: Question;
      /** Request in the question's own shape. */
      readonly request: unknown;
    }
  | { readonly kind: 'next' | 'stop'; readonly id: number }
  | { readonly kind: 'close' };

/** From the thread. */
export type FromThread =
  | { readonly kind: 'progress'; readonly progress: BundleProgress }
  /** A pod that is not well, while the rest is read. */
  | { readonly kind: 'pod'; readonly pod: PodObject }
  | { readonly kind: 'opened'; readonly facts: BundleFacts }
  /** It is not opened; a sentence. */
  | { readonly kind: 'refused'; readonly reason: string }
  | Reply;

/** To one question: a part, its end, or why it ends early. */
export type Reply =
  | { readonly kind: 'part'; readonly id: number; readonly part: unknown }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'broken'; readonly id: number; readonly reason: string };
