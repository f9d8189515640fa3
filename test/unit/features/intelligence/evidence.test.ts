import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compliance } from '../../../../src-main/features/intelligence/compliance.ts';
import { maturity } from '../../../../src-main/features/intelligence/maturity.ts';
import { measures } from '../../../../src-main/features/intelligence/measures.ts';
import type { Call } from '../../../../src-shared/api/handler.ts';
import { worstPlatform } from '../../../support/worst-platform.ts';

// None of these readers looks at its call.
const asked = { call: {} as Call, target: undefined };

/** A platform as far as it could be read: whole, partly, or not at all. */
const platforms = fc
  .record({
    namespaces: fc.uniqueArray(fc.constantFrom('lab', 'shop', 'till'), { maxLength: 3 }),
    complete: fc.boolean(),
    source: fc.constantFrom('test', 'unavailable'),
    good: fc.boolean(),
    runs: fc.nat(12),
  })
  .map(({ namespaces, complete, source, good, runs }) => {
    const parts = worstPlatform(namespaces);
    const reading = { complete: complete && source !== 'unavailable', source };
    const none = { params: undefined, query: {}, body: undefined } as never;
    return {
      ...parts,
      read: {
        ...parts.read,
        'fleet.agents': async () => {
          const answer = await parts.read['fleet.agents'](none, asked.call);
          const items = answer.items.map((agent) => ({
            ...agent,
            state: good ? ('healthy' as const) : agent.state,
          }));
          return { ...answer, ...reading, items: source === 'unavailable' ? [] : items };
        },
        'runs.list': async () => {
          const answer = await parts.read['runs.list'](none, asked.call);
          const [run] = answer.items;
          const items = Array.from(
            { length: source === 'unavailable' || run === undefined ? 0 : runs },
            (_, index) => ({
              ...(run as NonNullable<typeof run>),
              id: `session:a:${index}`,
              state: good ? ('success' as const) : ('failure' as const),
            }),
          );
          return { ...answer, ...reading, items };
        },
        'estate.governance': async () => {
          const answer = await parts.read['estate.governance'](none, asked.call);
          const own = answer.namespaces.map((each) => ({
            ...each,
            ...(good
              ? {
                  tenant: 'acme',
                  quotas: 1,
                  network_policies: { count: 1, default_deny_ingress: true },
                  pod_security: { enforce: 'restricted' as const },
                  workloads: { count: 1, default_service_account: 0 },
                }
              : {}),
          }));
          return { ...answer, ...reading, namespaces: source === 'unavailable' ? [] : own };
        },
      },
    };
  });

it('whatever could be read, nothing passes without evidence, and each figure is what its evidence says', async () => {
  await fc.assert(
    fc.asyncProperty(platforms, async (parts) => {
      const [{ controls, outcomes }, { categories }, { dimensions, composite }] = await Promise.all([
        compliance(parts, asked),
        measures(parts, asked),
        maturity(parts, asked),
      ]);
      for (const { id, outcome, share, evidence } of [...controls, ...categories]) {
        if (evidence.length === 0) expect([id, outcome]).toEqual([id, 'unmeasured']);
        if (outcome === 'unmeasured') expect([id, share]).toEqual([id, undefined]);
        if (share !== undefined) expect([id, sharesIn(evidence, share)]).toEqual([id, true]);
      }
      for (const outcome of ['pass', 'fail', 'unmeasured'] as const)
        expect(outcomes[outcome]).toBe(controls.filter((each) => each.outcome === outcome).length);
      const measured = dimensions.filter(({ share }) => share !== undefined);
      for (const { name, share, unmeasured, evidence } of dimensions) {
        expect([name, share === undefined, evidence.length === 0]).toEqual([
          name,
          unmeasured !== undefined,
          unmeasured !== undefined,
        ]);
        if (share !== undefined) expect([name, sharesIn(evidence, share)]).toEqual([name, true]);
      }
      if (measured.length < dimensions.length) expect(composite).toBeUndefined();
      else {
        const sum = measured.reduce(
          (total, { share }) => total + (share?.part ?? 0) / (share?.whole ?? 1),
          0,
        );
        expect(composite).toBeCloseTo(sum / 5, 10);
      }
    }),
    { numRuns: 200 },
  );
});

/** Whether a share is read again from the sentences of its evidence; a fact alone, without figures, is one of one. */
function sharesIn(
  evidence: readonly { readonly fact: string }[],
  { part, whole }: { readonly part: number; readonly whole: number },
): boolean {
  const told = evidence.flatMap(({ fact }) => {
    const [, counted, of] = /^([\d,]+) of ([\d,]+) /.exec(fact) ?? [];
    return counted === undefined || of === undefined
      ? []
      : [[counted, of].map((text) => Number(text.replaceAll(',', '')))];
  });
  return told.length === 0 ? whole === 1 : told.some(([a, b]) => a === part && b === whole);
}
