import { lineageSteps } from '../../../src-shared/api/delivery.ts';
import { type Answer, minutesAgo } from './answer-route.ts';
import { wholeReading } from './delivery-answers.ts';

type Lineage = Answer<'delivery.lineage'>;
type Image = Lineage['images'][number];
type Step = Image['steps'][number];

const host = 'https://code.example/northgate';
const noCluster = 'no cluster is attached';
const digest = `sha256:${'9b0e41d7'.repeat(8)}`;

const done = (detail: string, at: number, ref: string, url: string) =>
  ({ state: 'done', done: true, detail, at: minutesAgo(at), ref, url }) as const;

/** An image of the repository with the given state of each step; the parts of `agents` may be given. */
export function imageOf(
  repo: string,
  states: Partial<Record<Step['step'], Step['state']>>,
  more: { where: string; sha?: string; tag?: string; title?: string; parts?: Step['parts'] },
): Image {
  const sha = more.sha ?? '4f1c9ae0'.repeat(5);
  const read: Record<string, Omit<Step, 'step'>> = {
    merged: done('merged by jonas', 180, '#640 to main', `${host}/${repo}/pull/640`),
    agents: { ...done('no findings', 150, 'Quality', `${host}/${repo}/actions/runs/1`), parts: more.parts },
    built: done('took 4 min 12 s', 140, 'Build 2217', `${host}/${repo}/actions/runs/2217`),
    registry: done('9b0e41…41d7', 138, more.tag ?? '2.8.2', `${host}/${repo}/pkgs/2217`),
  };
  const words: Record<Step['state'], string> = {
    done: 'done',
    moving: 'running since 4 min',
    failed: 'failed: 2 tests of the money service',
    not_reached: 'waits for the step before',
    not_read: noCluster,
  };
  const steps = lineageSteps.map((step): Step => {
    const inRegistry = (states.registry ?? 'done') === 'done';
    const state = states[step] ?? (step in read ? 'done' : inRegistry ? 'not_read' : 'not_reached');
    const facts = read[step];
    if (state === 'done' && facts !== undefined) return { step, ...facts };
    return {
      step,
      state,
      ...(state === 'not_read' ? {} : { done: false }),
      detail: words[state],
      ...(state === 'moving' || state === 'failed'
        ? { ref: 'Build 2217', url: `${host}/${repo}/actions/runs/2217`, at: minutesAgo(9) }
        : {}),
      ...(step === 'agents' && more.parts !== undefined ? { parts: more.parts } : {}),
    };
  });
  return {
    image: `registry.example/northgate/${repo}`,
    repo,
    sha,
    title: more.title ?? 'Retry a failed send once',
    author: 'jonas',
    steps,
    where: more.where,
    ...((states.registry ?? 'done') === 'done' ? { tag: more.tag ?? '2.8.2', digest } : {}),
  };
}

const part = (name: string, state: Step['state'], detail: string, run: number) => ({
  name,
  state,
  detail,
  at: minutesAgo(160),
  url: `${host}/harbour/actions/runs/${run}`,
});

/** Three reviews that ended well. */
export const reviews = [
  part('Quality', 'done', 'no findings', 31),
  part('Security', 'done', '2 notes, approved', 32),
  part('Design', 'done', 'no findings', 33),
];

const later = { built: 'not_reached', registry: 'not_reached' } as const;

/** Seven images, one in each situation that a code host and a registry can tell. */
export const someImages = (): Lineage => ({
  images: [
    imageOf('campaign-worker', {}, { where: 'In the registry; rollout not read', parts: reviews }),
    imageOf(
      'campaign-control-plane',
      { registry: 'moving' },
      { where: 'Built, on its way into the registry', sha: 'ab12'.repeat(10), parts: reviews.slice(0, 2) },
    ),
    imageOf(
      'operator-console',
      { agents: 'failed', ...later },
      {
        where: 'Stopped at security review',
        sha: 'c0ffee12'.repeat(5),
        title: 'Keep the address of a page through a sign-in that leads to another origin and back',
        parts: [
          part('Quality', 'done', 'no findings', 41),
          part('Security', 'failed', '1 error: token in a log', 42),
          part('Design', 'moving', 'running since 2 min', 43),
        ],
      },
    ),
    imageOf(
      'cockpit-api',
      { built: 'failed', registry: 'not_reached' },
      { where: 'Stopped at the build', sha: 'd00d'.repeat(10), parts: reviews },
    ),
    imageOf(
      'studio',
      { built: 'moving', registry: 'not_reached' },
      { where: 'Building', sha: 'beef1234'.repeat(5) },
    ),
    imageOf(
      'vllm-large',
      { agents: 'not_read' },
      { where: 'In the registry; reviews not read', tag: 'e1e2e3e4'.repeat(5), sha: 'e1e2e3e4'.repeat(5) },
    ),
    imageOf(
      'ttsd',
      { agents: 'not_reached' },
      { where: 'In the registry; rollout not read', title: 'Direct push: new voices', tag: '1.7.0' },
    ),
  ],
  ...wholeReading(),
  complete: false,
  unmeasured: ['Rolled and running were not read: no cluster is attached.'],
});
