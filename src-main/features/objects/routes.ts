import type { Handlers } from '#shared/api/handler.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { kindHandlers } from './kinds.ts';
import { listHandlers } from './list.ts';
import { viewHandlers } from './view.ts';

type ObjectsParts = {
  readonly targetOf: OpenTargetOf;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** The page Objects: any kind of a cluster or a bundle. */
export function objectsHandlers({
  targetOf,
  now,
}: ObjectsParts): Pick<Handlers, Extract<keyof Handlers, `objects.${string}`>> {
  return {
    ...kindHandlers(targetOf, now),
    ...listHandlers(targetOf, now),
    ...viewHandlers(targetOf, now),
  };
}
