import type { LineageImage, LineageStep, lineageSteps, StepState } from '#shared/api/delivery.ts';
import { formatDuration } from '../../components/format-time.ts';
import type { StateName } from '../../core/state-name.ts';
import type { LineageAnswer } from './lineage-queries.ts';

export type StepName = (typeof lineageSteps)[number];

/** A step's name as a column's head. */
export const stepTitles: Readonly<Record<StepName, string>> = {
  merged: 'Merged',
  agents: 'Agents',
  built: 'Built',
  registry: 'Registry',
  rolled: 'Rolled out',
  running: 'Running',
};

/** Icon and label of each step state. A step that was not reached has a smaller icon of its own in the step line. */
export const stepStates: Readonly<Record<StepState, { readonly state: StateName; readonly label: string }>> =
  {
    done: { state: 'healthy', label: 'Done' },
    moving: { state: 'working', label: 'Moving' },
    failed: { state: 'failing', label: 'Failed' },
    not_reached: { state: 'idle', label: 'Not reached' },
    not_read: { state: 'unknown', label: 'Not read' },
  };

/** An image without registry and owner: how people call it. */
export const imageName = (image: string): string => image.slice(image.lastIndexOf('/') + 1);

/** A tag short enough for a line: those that are commit ids are cut, as people do. */
export const shortTag = (tag: string): string => (tag.length > 20 ? `${tag.slice(0, 12)}…` : tag);

/** A digest short enough for a line, still told apart by eye. */
export function shortDigest(digest: string): string {
  const [kind, hex] = digest.split(':');
  return hex === undefined || hex.length <= 12 ? digest : `${kind}:${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

/** Icon and label of whether the commit shipped (state map, `lineage.shipped`). */
export function shippedState({
  shipped,
  images,
  rolled_out,
}: Pick<LineageAnswer, 'shipped' | 'images' | 'rolled_out'>): {
  readonly state: StateName;
  readonly label: string;
} {
  if (shipped === 'yes') return { state: 'healthy', label: 'Shipped' };
  if (rolled_out !== undefined)
    return { state: 'working', label: `${rolled_out.workloads} of ${rolled_out.of}` };
  if (shipped !== 'no') return { state: 'unknown', label: 'Not read' };
  const states = images.flatMap(({ steps }) => steps.map(({ state }) => state));
  if (states.includes('failed')) return { state: 'failing', label: 'Stopped' };
  return states.includes('moving')
    ? { state: 'working', label: 'Not yet' }
    : { state: 'idle', label: 'Not shipped' };
}

/** Steps at the end of the way that were read of no image, for one reason. */
export type UnreadEnd = {
  readonly steps: readonly StepName[];
  readonly label: string;
  readonly reason: string;
};

/** The unread end that these images share, be it not reached by some; undefined when there is none. */
export function unreadEnd(images: readonly LineageImage[]): UnreadEnd | undefined {
  const reason = images.map(({ steps }) => steps.at(-1)).find((step) => step?.state === 'not_read')?.detail;
  const [first] = images;
  if (first === undefined || reason === undefined) return undefined;
  const unread = (step: LineageStep | undefined): boolean =>
    step?.state === 'not_reached' ||
    (step?.state === 'not_read' && step.detail === reason && step.parts === undefined);
  const none = (at: number): boolean =>
    images.every(({ steps }) => unread(steps[at])) &&
    images.some(({ steps }) => steps[at]?.state === 'not_read');
  let from = first.steps.length;
  while (from > 0 && none(from - 1)) from -= 1;
  const steps = first.steps.slice(from).map(({ step }) => step);
  return steps.length === 0 ? undefined : { steps, label: `${stepList(steps)} not read`, reason };
}

/** Steps as they are said: `Rolled and running`. */
function stepList(steps: readonly StepName[]): string {
  const names = steps.map((step, index) => (index === 0 ? stepTitles[step] : stepTitles[step].toLowerCase()));
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/**
 * Returns the overall state of an image: its worst step, without those of the shared unread end. A failed or skipped
 * step does not count once a later one is done, as the image got past it.
 */
export function imageState(image: LineageImage, end: UnreadEnd | undefined): StepState {
  const steps = image.steps.filter(({ step }) => !end?.steps.includes(step));
  const passed = steps.findLastIndex(({ state }) => state === 'done');
  const states = steps
    .filter(({ state }, index) => index > passed || state === 'moving' || state === 'not_read')
    .map(({ state }) => state);
  return gravest.find((state) => states.includes(state)) ?? 'done';
}

const gravest: readonly StepState[] = ['failed', 'not_read', 'moving', 'not_reached'];

/** Images with the gravest first, then by name. */
export function worstFirst(
  images: readonly LineageImage[],
  end: UnreadEnd | undefined,
): readonly LineageImage[] {
  const rank = (image: LineageImage): number => {
    const at = gravest.indexOf(imageState(image, end));
    return at < 0 ? gravest.length : at;
  };
  return [...images].sort((a, b) => rank(a) - rank(b) || a.image.localeCompare(b.image));
}

/** Formats the time from the merge to the last step that is done and has a time. */
export function wayLabel({ steps }: LineageImage): string | undefined {
  const [merged] = steps;
  const last = steps.findLast((step) => step.state === 'done' && step.at !== undefined);
  if (merged?.at === undefined || last?.at === undefined) return undefined;
  // Until it is built, nothing is on its way yet.
  if (last.step === 'merged' || last.step === 'agents') return undefined;
  const took = Date.parse(last.at) - Date.parse(merged.at);
  return took < 0 ? undefined : `merge to ${stepTitles[last.step].toLowerCase()} ${formatDuration(took)}`;
}
