import fc from 'fast-check';

/** How many inputs are tried at once: most of the time of one is spent waiting for its answer. */
const atOnce = 8;

/** Checks 10,000 generated inputs; the failing one is made as small as it can be. */
export async function tenThousand<T>(
  inputs: fc.Arbitrary<T>,
  check: (input: T) => Promise<void>,
): Promise<void> {
  const batch = fc.array(inputs, { minLength: atOnce, maxLength: atOnce });
  await fc.assert(
    fc.asyncProperty(batch, async (all) => {
      await Promise.all(all.map(check));
    }),
    { numRuns: 10_000 / atOnce },
  );
}
