import { randomBytes } from 'node:crypto';
import type { Call } from '#shared/api/handler.ts';

/** The person who makes a change, and the audit record of it. */
export type Acting = {
  /** Email. */
  readonly by: string | undefined;
  readonly record: Call['record'];
};

/** Returns who acts by a call of a route. */
export function actingOf({ caller, record }: Pick<Call, 'caller' | 'record'>): Acting {
  return { by: caller.email, record };
}

/** Returns a new ID. */
export function newId(): string {
  return randomBytes(8).toString('hex');
}

/** Epoch ms as RFC 3339. */
export function timeText(at: number): string {
  return new Date(at).toISOString();
}
