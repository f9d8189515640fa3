import type { LineageImage, LineageStep } from '#shared/api/delivery.ts';
import type { CommitPath } from './commit-path.ts';
import { short } from './lineage-steps.ts';
import { stoppedAt } from './where.ts';

export type Shipped = {
  readonly shipped: 'yes' | 'no' | 'unknown';
  readonly stopped_at?: LineageStep['step'];
  /** Workloads that run it, of those that have its image; absent while none does, and when all do. */
  readonly rolled_out?: { readonly workloads: number; readonly of: number };
  /** The answer as a sentence. */
  readonly answer: string;
};

/**
 * Returns whether the commit shipped: yes only when it was seen running in every workload of its image, no only when a
 * step that was read stopped it, or some workloads still run another version.
 */
export function shippedBy(path: CommitPath): Shipped {
  const shipped = shippedItself(path);
  if (path.became === undefined) return shipped;
  return {
    ...shipped,
    answer: `${short(path.became)} was merged as ${short(path.image.sha)}. ${shipped.answer}`,
  };
}

function shippedItself({ image, mergedAsAnother, noImage }: CommitPath): Shipped {
  const commit = `${short(image.sha)} of ${image.repo}`;
  const stopped = stoppedAt(image.steps);
  if (stopped === undefined) return { shipped: 'yes', answer: `${commit} shipped: it runs.` };
  const { step, state, detail } = stopped;
  const stopped_at = step;
  const rolled_out = rolledOut(image);
  if (rolled_out !== undefined) {
    const { workloads, of } = rolled_out;
    const answer = `${commit} runs in ${workloads} of ${of} workloads; the others run another version.`;
    return { shipped: 'no', stopped_at: 'rolled', rolled_out, answer };
  }
  if (mergedAsAnother)
    return {
      shipped: 'unknown',
      stopped_at,
      answer: `${commit} is not on the default branch itself: ${detail}. Ask about the commit it became.`,
    };
  if (step === 'merged' && state !== 'not_read')
    return { shipped: 'no', stopped_at, answer: `${commit} did not ship: ${detail}.` };
  if (step === 'built' && state === 'failed' && noImage) {
    const answer = `${commit} did not ship: ${detail}, and the registry has no image of it.`;
    return { shipped: 'no', stopped_at, answer };
  }
  return { shipped: 'unknown', stopped_at, answer: `${passed(image, step)}${openEnd(stopped)}.` };
}

/** Returns in how many of its workloads a commit runs, while some but not all do. */
function rolledOut({ steps }: LineageImage): Shipped['rolled_out'] {
  const [rolled, running] = [steps.at(-2), steps.at(-1)];
  if (rolled?.state !== 'moving' || running?.parts === undefined) return undefined;
  const workloads = running.parts.filter(({ state }) => state === 'done').length;
  return workloads === 0 ? undefined : { workloads, of: running.parts.length };
}

/** Returns what is known about a commit whose current step is `step`. */
function passed({ repo, sha, tag, digest }: LineageImage, step: LineageStep['step']): string {
  switch (step) {
    case 'merged':
      return `Of ${short(sha)} in ${repo} `;
    case 'agents':
    case 'built':
      return 'It is merged; ';
    case 'registry':
      return 'It was built; ';
    case 'rolled':
      return `It is in the registry as ${digest?.replace(/^sha256:/, '').slice(0, 12) ?? tag}; `;
    case 'running':
      return 'It was rolled out; ';
  }
}

function openEnd({ step, state, detail }: LineageStep): string {
  if (state !== 'not_read' || step === 'merged' || step === 'agents' || step === 'built') return detail;
  return step === 'registry'
    ? `whether the registry has it was not read: ${detail}`
    : `whether it runs was not read: ${detail}`;
}
