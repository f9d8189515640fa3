import type { ActClass, Guardrails } from '#shared/api/guardrails.ts';

/**
 * Who acts. `platform` is anything that acts without a person at the control in that moment: a playbook, the harness,
 * the chat, an agent; `by` names it for audit records. `approvedBy` is the email of the person who approved exactly
 * this act.
 */
export type Actor =
  | { readonly kind: 'person'; readonly email: string | undefined }
  | { readonly kind: 'platform'; readonly by: string; readonly approvedBy?: string | undefined };

/** `ask`: a person has to approve it first. The sentence says why, for messages and audit records. */
export type Decision = {
  readonly verdict: 'allowed' | 'ask' | 'refused';
  readonly sentence: string;
};

/**
 * Decides whether an act of a class may be carried out now. Every path that acts asks this function, immediately
 * before it acts: people are limited by allowlists and rights, not by guardrails; the platform by both.
 */
export function decideAct({ classes }: Guardrails, name: ActClass, actor: Actor): Decision {
  if (actor.kind === 'person') return { verdict: 'allowed', sentence: 'A person acts.' };
  const limit = classes.find((each) => each.class === name)?.autonomy ?? 'off';
  if (limit === 'off')
    return {
      verdict: 'refused',
      sentence: `The guardrails leave "${name}" to people: ${actor.by} does nothing of it, approved or not.`,
    };
  if (limit === 'auto' || actor.approvedBy !== undefined)
    return {
      verdict: 'allowed',
      sentence:
        actor.approvedBy === undefined
          ? `The guardrails let the platform act by itself in "${name}".`
          : `${actor.approvedBy} approved it.`,
    };
  return { verdict: 'ask', sentence: `The guardrails ask for a person's approval of each act of "${name}".` };
}
