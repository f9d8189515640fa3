import type { RunFamily } from '#shared/api/runs.ts';

/**
 * Classifies a workflow by its file name (docs/code-host.md): `review-<type>.yml`, `governance-<name>.yml`
 * and `agent-<name>.yml` are agents; the rest is other work.
 */
export function workflowFamily(path: string): { family: RunFamily; reviewType: string | undefined } {
  const file = path.split('@', 1)[0]?.split('/').at(-1) ?? '';
  const match = /^(review|governance|agent)-([a-z0-9][a-z0-9-]{0,63})\.ya?ml$/.exec(file);
  switch (match?.[1]) {
    case 'review':
      return { family: 'review', reviewType: match[2] };
    case 'governance':
    case 'agent':
      return { family: match[1], reviewType: undefined };
    default:
      return { family: 'other', reviewType: undefined };
  }
}
