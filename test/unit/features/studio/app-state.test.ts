import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appState, type Verification } from '../../../../src-main/features/studio/app-state.ts';

const verifications = ['pending', 'success', 'failure', 'error', undefined] as const;

/** The conditions of CON-032 to CON-037, in their order. */
const rows: readonly {
  holds(jobs: number, ci: Verification): boolean;
  state: string;
  detail: RegExp;
}[] = [
  { holds: (jobs) => jobs > 0, state: 'working', detail: /^\d+ open jobs? for the agent$/ },
  { holds: (_, ci) => ci === 'pending', state: 'building', detail: /verifying the default branch/ },
  { holds: (_, ci) => ci === 'success', state: 'live', detail: /^CI is green on the default branch$/ },
  { holds: (_, ci) => ci === 'failure', state: 'failed', detail: /^CI failed .* see the run$/ },
  { holds: (_, ci) => ci === 'error', state: 'failed', detail: /^CI could not run the checks, see the run$/ },
  { holds: (_, ci) => ci === undefined, state: 'idle', detail: /not yet verified/ },
];

describe("a studio app's state", () => {
  it('is that of the first row of the table that holds, for every combination (CON-031, CON-032, CON-033, CON-034, CON-035, CON-036, CON-037)', () => {
    fc.assert(
      fc.property(fc.nat(250), fc.constantFrom(...verifications), (jobs, ci) => {
        const expected = rows.find(({ holds }) => holds(jobs, ci));
        const { state, state_detail } = appState(jobs, ci);
        expect(state).toBe(expected?.state);
        expect(state_detail).toMatch(expected?.detail ?? /never/);
      }),
    );
  });

  it('is live only while the verification is green and no job is open (CON-038)', () => {
    for (const ci of verifications) {
      expect(appState(0, ci).state === 'live').toBe(ci === 'success');
      expect(appState(1, ci).state).toBe('working');
    }
  });

  it('names the number of open jobs (CON-032)', () => {
    expect(appState(1, 'success').state_detail).toBe('1 open job for the agent');
    expect(appState(7, undefined).state_detail).toBe('7 open jobs for the agent');
  });
});
