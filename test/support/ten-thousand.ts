import fc from 'fast-check';

/** How many requests are under way at once: most of the time of one is spent waiting for its answer. */
const atOnce = 8;

/** Checks what a parser does with 10,000 generated inputs; the failing one is made as small as it can be. */
export async function tenThousand<T>(
  inputs: fc.Arbitrary<T>,
  check: (input: T) => void | Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(inputs, async (input) => {
    await check(input);
  });
  await fc.assert(property, { numRuns: 10_000 });
}

/** Checks what a running backend does with 1,000 generated requests. */
export async function oneThousand<T>(
  inputs: fc.Arbitrary<T>,
  check: (input: T) => Promise<void>,
): Promise<void> {
  const batch = fc.array(inputs, { minLength: atOnce, maxLength: atOnce });
  const property = fc.asyncProperty(batch, async (all) => {
    await Promise.all(all.map(check));
  });
  await fc.assert(property, { numRuns: 1000 / atOnce });
}
