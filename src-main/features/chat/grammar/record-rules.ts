import type { Slot, Slots } from './read-message.ts';
import { type Rule, repo, since } from './rule.ts';

const runStates: readonly (readonly [string, string])[] = [
  ['state:failed', 'failure'],
  ['state:failing', 'failure'],
  ['state:success', 'success'],
  ['state:running', 'running'],
  ['state:queued', 'queued'],
  ['state:cancelled', 'cancelled'],
];
const runSlots: readonly Slot[] = ['since', 'days', 'repo'];
const runArgs = (more: Record<string, unknown>) => (slots: Slots) => ({
  ...more,
  ...since(slots),
  ...repo(slots),
});

/** Forms of questions about runs. */
export function runRules(): Rule[] {
  const kinds: readonly (readonly [string, string])[] = [
    ['topic:jobs', 'job'],
    ['topic:workflow', 'workflow'],
  ];
  const rules: Rule[] = [
    { tool: 'runs', needs: ['topic:runs'], may: ['last', 'weak:status'], might: runSlots, args: runArgs({}) },
  ];
  for (const [word, state] of runStates) {
    rules.push({
      tool: 'runs',
      needs: ['topic:runs', word],
      may: ['last', 'weak:status'],
      might: runSlots,
      args: runArgs({ state }),
    });
    // "what is running in storefront": a repository says that runs are meant.
    rules.push({
      tool: 'runs',
      needs: [word],
      may: ['weak:status'],
      takes: ['repo'],
      might: ['since', 'days'],
      args: runArgs({ state }),
    });
  }
  for (const [topic, kindOf] of kinds) {
    rules.push({
      tool: 'runs',
      needs: [topic],
      may: ['topic:runs', 'last'],
      might: runSlots,
      args: runArgs({ kind: kindOf }),
    });
    for (const [word, state] of runStates)
      rules.push({
        tool: 'runs',
        needs: [topic, word],
        may: ['topic:runs', 'last'],
        might: runSlots,
        args: runArgs({ kind: kindOf, state }),
      });
  }
  return rules;
}

/** Forms of questions about the audit trail. */
export function auditRules(): Rule[] {
  const might: readonly Slot[] = ['email', 'since', 'days'];
  const args = (more: Record<string, unknown>) => (slots: Slots) => ({
    ...(slots.email === undefined ? {} : { actor: slots.email }),
    ...more,
    ...since(slots),
  });
  const outcomes: readonly (readonly [string, string])[] = [
    ['state:refused', 'refused'],
    ['state:failed', 'failure'],
    ['state:success', 'success'],
  ];
  return [
    { tool: 'audit', needs: ['topic:audit'], may: ['topic:who', 'in', 'last'], might, args: args({}) },
    { tool: 'audit', needs: ['topic:who', 'verb:restart'], might, args: args({}) },
    ...['verb:delete', 'verb:scale', 'verb:rollback', 'verb:suspend', 'verb:drain', 'verb:cordon'].map(
      (verb) => ({
        tool: 'audit',
        needs: ['topic:who', verb],
        might,
        args: args({}),
      }),
    ),
    ...outcomes.map(([word, outcome]) => ({
      tool: 'audit',
      needs: ['topic:audit', word],
      may: ['in', 'last'],
      might,
      args: args({ outcome }),
    })),
    {
      tool: 'audit',
      needs: ['state:refused'],
      may: ['topic:who'],
      might,
      args: args({ outcome: 'refused' }),
    },
  ];
}
