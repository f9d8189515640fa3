import { z } from 'zod';

/**
 * An injected fault. `path` is a regular expression on path and query; `times` ends it after so many
 * requests.
 */
export const faultSchema = z.discriminatedUnion('kind', [
  /** Answers late. */
  z.strictObject({ kind: z.literal('slow'), ms: z.number().int().min(1).max(600_000), ...where() }),
  z.strictObject({ kind: z.literal('error'), status: z.literal([401, 500, 502, 503]), ...where() }),
  /** The hour's quota is used up: 403 until it is over. */
  z.strictObject({ kind: z.literal('rate-limited'), ...where() }),
  /** Asked to wait, in seconds: 403 or 429 with `retry-after`. */
  z.strictObject({
    kind: z.literal('secondary'),
    status: z.literal([403, 429]).default(403),
    retryAfter: z.number().int().min(0).max(3600).default(60),
    ...where(),
  }),
  /** The JSON ends in its middle, and its length says that is all. */
  z.strictObject({ kind: z.literal('truncated'), ...where() }),
  /** The connection ends before the length that was promised. */
  z.strictObject({ kind: z.literal('short-body'), ...where() }),
  /** Takes the request and never answers. */
  z.strictObject({ kind: z.literal('hang'), ...where() }),
  /** The installation was removed: its tokens are worthless and no new one is given. */
  z.strictObject({ kind: z.literal('revoked'), ...where() }),
  /** The organisation suspended the installation. */
  z.strictObject({ kind: z.literal('suspended'), ...where() }),
]);
export type Fault = z.input<typeof faultSchema>;
/** With what was left out filled in. */
export type MetFault = z.output<typeof faultSchema>;

function where() {
  const path = z.string().max(500).refine(isPattern, 'must be a regular expression');
  return { path: path.optional(), times: z.number().int().min(1).optional() };
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

export type Faults = {
  add(fault: Fault): void;
  clear(): void;
  /** Faults that hold for this request, each counted once. */
  meet(path: string): MetFault[];
  list(): readonly MetFault[];
};

export function createFaults(): Faults {
  let active: { fault: MetFault; pattern: RegExp; left: number }[] = [];
  return {
    add(given) {
      const fault = faultSchema.parse(given);
      active.push({
        fault,
        pattern: new RegExp(fault.path ?? ''),
        left: fault.times ?? Number.POSITIVE_INFINITY,
      });
    },
    clear() {
      active = [];
    },
    meet(path) {
      const met = active.filter(({ pattern, left }) => left > 0 && pattern.test(path));
      for (const entry of met) entry.left -= 1;
      active = active.filter(({ left }) => left > 0);
      return met.map(({ fault }) => fault);
    },
    list: () => active.map(({ fault }) => fault),
  };
}
