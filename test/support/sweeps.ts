import fc from 'fast-check';

/** `npm run test:sweeps` takes every sweep whole; every other run takes a part of it. */
const whole = process.env.TEST_SWEEPS === 'whole';

/** Number of times a sweep runs its check: `count` when sweeps run in full, else `part`. */
export const sweepOf = (count: number, part: number): number => (whole ? count : part);

/** Number of inputs each parser reads. */
export const inputCount = sweepOf(10_000, 500);
/** Number of requests each route of a running backend answers. */
const requestCount = sweepOf(1000, 104);
/** Both as titles of tests write them. */
export const inputCountText = inputCount.toLocaleString('en');
export const requestCountText = requestCount.toLocaleString('en');

/** Number of concurrent requests: most of the time of one is spent waiting for its answer. */
const atOnce = 8;

/** Checks what a parser does with `inputCount` generated inputs; the failing one is made as small as it can be. */
export async function sweepInputs<T>(
  inputs: fc.Arbitrary<T>,
  check: (input: T) => void | Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(inputs, async (input) => {
    await check(input);
  });
  await fc.assert(property, { numRuns: inputCount });
}

/** Checks what a running backend does with `requestCount` generated requests. */
export async function sweepRequests<T>(
  inputs: fc.Arbitrary<T>,
  check: (input: T) => Promise<void>,
): Promise<void> {
  const batch = fc.array(inputs, { minLength: atOnce, maxLength: atOnce });
  const property = fc.asyncProperty(batch, async (all) => {
    await Promise.all(all.map(check));
  });
  await fc.assert(property, { numRuns: requestCount / atOnce });
}
