import { type ActClass, type Autonomy, autonomy } from '#shared/api/guardrails.ts';

/** Acts of each class, in a few words. */
export const actsOf: Readonly<Record<ActClass, string>> = {
  reports: 'opening issues and commenting on the code host',
  agents: 'arming, disarming and dispatching agents',
  workloads: 'restarting, scaling and rolling out workloads, draining nodes',
  data_sources: 'changing connections, runners and providers',
  credentials: 'creating and rotating keys and certificates',
  deletion: 'deleting what cannot be restored',
  access: 'changing who may do what',
  oversight: 'changing guardrails and the audit trail',
};

type HardGuardrail = { readonly class: ActClass; readonly most: Autonomy; readonly sentence: string };

/** Limits that nobody can loosen. */
export const hardGuardrails: readonly HardGuardrail[] = [
  { class: 'credentials', most: 'ask', sentence: 'A person approves every change of a key or certificate.' },
  { class: 'deletion', most: 'ask', sentence: 'A person approves every deletion.' },
  { class: 'access', most: 'off', sentence: 'Only people change who may do what.' },
  { class: 'oversight', most: 'off', sentence: 'Only people change guardrails and the audit trail.' },
];

/** Returns the most autonomy that the hard guardrails leave to a class. */
export function mostOf(name: ActClass): Autonomy {
  return hardGuardrails.find((hard) => hard.class === name)?.most ?? 'auto';
}

/** Returns the stricter one. */
export function stricter(a: Autonomy, b: Autonomy): Autonomy {
  return autonomy.options.indexOf(a) <= autonomy.options.indexOf(b) ? a : b;
}
