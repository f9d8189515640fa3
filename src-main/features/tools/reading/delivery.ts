import { z } from 'zod';
import { repositoryName } from '#shared/api/reading.ts';
import { runKind, runState } from '#shared/api/runs.ts';
import { outsideText } from '../outside-text.ts';
import { answered, counted, healthSentence, placeIn, stateText } from '../sentences.ts';
import { type Asker, type ReadingTool, readingTool } from '../tool.ts';
import { name } from './cluster.ts';

const day = 24 * 60 * 60 * 1000;
const repo = repositoryName.optional().describe('Only this repository.');
/** A time in words that both a person and a model write. */
export const since = z
  .string()
  .regex(/^(?:today|yesterday|\d{1,4}[mhd]|\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?)$/)
  .optional()
  .describe('today, yesterday, a duration such as 24h or 7d, or a date.');

/** A `since` as RFC 3339; days begin at midnight UTC. */
export function sinceTime(text: string | undefined, { now }: Pick<Asker, 'now'>): string | undefined {
  if (text === undefined) return undefined;
  const at = now();
  if (text === 'today') return new Date(Math.floor(at / day) * day).toISOString();
  if (text === 'yesterday') return new Date((Math.floor(at / day) - 1) * day).toISOString();
  const duration = /^(\d+)([mhd])$/.exec(text);
  if (duration === null) return new Date(text).toISOString();
  const unit = { m: 60_000, h: 3_600_000, d: day }[duration[2] ?? 'd'] ?? day;
  return new Date(at - Number(duration[1]) * unit).toISOString();
}

/** Delivery and agents: what shipped, what ran, what runs next. */
export const deliveryTools: readonly ReadingTool[] = [
  readingTool({
    name: 'gitops',
    title: 'GitOps',
    description: 'Lists what GitOps or workflows deliver: sync and health.',
    args: z.strictObject({
      state: z.enum(['failing']).optional().describe('Only what is out of sync or degraded.'),
    }),
    reveals: 'names, revisions and states of deliveries',
    routes: ['delivery.gitops'],
    async answer({ state }, asker) {
      const read = await asker.read('delivery.gitops', { query: { target: asker.target } });
      const isOff = (each: (typeof read.items)[number]) =>
        each.sync === 'out_of_sync' || ['degraded', 'missing'].includes(each.health);
      const items = state === undefined ? read.items : read.items.filter(isOff);
      const off = read.items.filter(isOff).length;
      return answered(asker, {
        head: `${counted(read.items.length, 'delivery', 'deliveries')} by ${read.mode}${read.items.length === 0 ? '' : off === 0 ? ', all in sync' : `, ${off} out of sync or degraded`}.`,
        rows: items.map((each) => ({
          text: stateText(each.name, each.sync, `${each.health.replaceAll('_', ' ')}. ${each.detail}`),
          address: placeIn({ tab: 'gitops', q: each.name }, asker),
        })),
        page: { tab: 'gitops' },
        result: { ...read, items },
      });
    },
  }),
  readingTool({
    name: 'lineage',
    title: 'Lineage',
    description: 'Follows a commit from merge to running pods, and says whether it shipped.',
    args: z.strictObject({
      sha: z
        .string()
        .regex(/^[0-9a-f]{7,40}$/)
        .optional()
        .describe('A commit.'),
      repo,
    }),
    reveals: 'commits, images and where they run',
    routes: ['delivery.lineage'],
    async answer(args, asker) {
      const read = await asker.read('delivery.lineage', {
        query: { target: asker.target, sha: args.sha, repo: args.repo },
      });
      return answered(asker, {
        head:
          args.sha === undefined
            ? `${counted(read.images.length, 'image')}.`
            : `${args.sha}: ${read.shipped === 'yes' ? 'shipped' : read.shipped === 'no' ? `not shipped${read.stopped_at === undefined ? '' : `, stopped at ${read.stopped_at}`}` : 'not known'}.${read.answer === undefined ? '' : ` ${outsideText(read.answer)}`}`,
        rows: read.images.map((each) => ({
          text: `${outsideText(each.image)}: ${outsideText(each.where)}`,
          address: placeIn({ tab: 'lineage', image: each.image }, asker),
        })),
        page: { tab: 'lineage', ...(args.sha === undefined ? {} : { sha: args.sha }) },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'devex',
    title: 'Delivery indicators',
    description: 'Lead time, deploy frequency, change failure rate, time to restore, with sample counts.',
    args: z.strictObject({ days: z.number().int().min(1).max(365).optional() }),
    reveals: 'figures about deliveries',
    routes: ['delivery.devex'],
    async answer({ days }, asker) {
      const window = days === undefined ? undefined : days <= 7 ? '7' : days <= 31 ? '28' : '90';
      const read = await asker.read('delivery.devex', { query: { days: window } });
      const { lead_time, deploy_frequency, change_failure_rate, time_to_restore, flaky_rate } =
        read.indicators;
      const minutes = (seconds: number) => `${Math.round(seconds / 60)} min`;
      const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
      const line = (label: string, found: { sample: number } | undefined, text: () => string) => ({
        text:
          found === undefined
            ? `${label}: sample too small`
            : `${label}: ${text()} (${counted(found.sample, 'sample')})`,
      });
      return answered(asker, {
        head: `The last ${read.window_days} days.`,
        rows: [
          line(
            'Lead time',
            lead_time,
            () =>
              `median ${minutes(lead_time?.median_seconds ?? 0)}, p90 ${minutes(lead_time?.p90_seconds ?? 0)}`,
          ),
          line('Deploys', deploy_frequency, () => `${(deploy_frequency?.per_day ?? 0).toFixed(2)}/day`),
          line('Change failure rate', change_failure_rate, () => percent(change_failure_rate?.share ?? 0)),
          line(
            'Time to restore',
            time_to_restore,
            () => `median ${minutes(time_to_restore?.median_seconds ?? 0)}`,
          ),
          line('Flaky rate', flaky_rate, () => percent(flaky_rate?.share ?? 0)),
        ],
        page: { tab: 'devex' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'doctor',
    title: 'Doctor',
    description: 'The nightly platform check: its state, last runs and tracking issue.',
    args: z.strictObject({}),
    reveals: 'runs of the platform check',
    routes: ['fleet.doctor'],
    async answer(_args, asker) {
      const read = await asker.read('fleet.doctor', { query: { target: asker.target } });
      return answered(asker, {
        head: stateText('Doctor', read.state, read.reason),
        rows: read.last_runs.map((run) => ({
          text: stateText(`${run.name} at ${run.started}`, run.state, run.detail),
        })),
        page: { tab: 'doctor' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'runs',
    title: 'Runs',
    description: 'Lists runs of agents, workflows, jobs and sessions, newest first.',
    args: z.strictObject({
      kind: runKind.optional(),
      state: runState.optional(),
      repo,
      since,
      q: z.string().trim().min(1).max(200).optional(),
    }),
    reveals: 'names, states and titles of runs',
    routes: ['runs.list'],
    async answer(args, asker) {
      const { kind, state, repo: of, q } = args;
      const read = await asker.read('runs.list', {
        query: {
          kind,
          state,
          repo: of,
          q,
          since: sinceTime(args.since, asker),
          workflows: kind === 'workflow' ? 'all' : undefined,
          limit: '100',
          target: asker.target,
        },
      });
      return answered(asker, {
        head: `${counted(read.items.length, 'run')}${state === undefined ? '' : ` ${state}`}${read.next_cursor === undefined ? '' : ', more before'}.`,
        rows: read.items.map((run) => ({
          text: stateText(
            `${run.repo === undefined ? '' : `${run.repo} `}${run.name}${run.title === undefined ? '' : `, ${run.title}`}`,
            run.state,
            run.detail,
          ),
          address: placeIn({ tab: 'runs', run: run.id }, asker),
        })),
        page: {
          tab: 'runs',
          ...(state === undefined ? {} : { state }),
          ...(of === undefined ? {} : { repo: of }),
        },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'reviews',
    title: 'Reviews',
    description: 'Lists reviews by agents with the number of findings.',
    args: z.strictObject({ repo }),
    reveals: 'reviews with their findings',
    routes: ['reviews.list'],
    async answer(args, asker) {
      const read = await asker.read('reviews.list', { query: { repo: args.repo } });
      return answered(asker, {
        head: `${counted(read.items.length, 'review')}, ${counted(
          read.latest.reduce((sum, each) => sum + each.findings.length, 0),
          'finding',
        ).toLowerCase()} in the latest.`,
        rows: [
          ...read.latest.flatMap((each) =>
            each.findings.map((found) => ({
              text: outsideText(`${found.severity} in ${each.repo} ${found.path}: ${found.title}`),
            })),
          ),
          ...read.items.map((each) => ({
            text: stateText(`${each.repo} ${each.type} ${each.name}`, each.state, each.detail),
          })),
        ],
        page: { tab: 'reviews', ...(args.repo === undefined ? {} : { repo: args.repo }) },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'agent_config',
    title: 'Agent configuration',
    description: 'Settings and bias rules of agents, as the repositories have them.',
    args: z.strictObject({ repo }),
    reveals: 'settings of agents from their repositories',
    routes: ['codeHost.agentConfig'],
    async answer(args, asker) {
      const read = await asker.read('codeHost.agentConfig', { query: { repo: args.repo } });
      return answered(asker, {
        head: `${counted(read.items.length, 'repository', 'repositories')}, ${counted(
          read.items.reduce((sum, each) => sum + each.agents.length, 0),
          'agent',
        ).toLowerCase()}.`,
        rows: read.items.flatMap((each) =>
          each.agents.map((agent) => ({
            text: `${outsideText(`${each.repo} ${agent.name}`)}: ${agent.enabled ? 'enabled' : 'disabled'}`,
          })),
        ),
        page: { tab: 'agentConfig' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'agents',
    title: 'Roster',
    description: 'Lists the platform agents with state, last run and next run.',
    args: z.strictObject({ state: z.enum(['failing']).optional() }),
    reveals: 'names, states and runs of agents',
    routes: ['fleet.agents'],
    async answer({ state }, asker) {
      const read = await asker.read('fleet.agents', { query: { target: asker.target } });
      const items =
        state === undefined
          ? read.items
          : read.items.filter((each) => each.state === 'failing' || each.state === 'degraded');
      return answered(asker, {
        head: healthSentence(
          read.items.map((each) => each.state),
          'agent',
        ),
        rows: items.map((each) => ({
          text: stateText(each.name, each.state, each.reason),
          address: placeIn({ tab: 'agents', agent: each.name }, asker),
        })),
        page: { tab: 'agents' },
        result: { ...read, items },
      });
    },
  }),
  readingTool({
    name: 'schedules',
    title: 'Schedules',
    description: 'When agents run next, and which are suspended.',
    args: z.strictObject({ agent: name.optional(), state: z.enum(['suspended', 'active']).optional() }),
    reveals: 'schedules of agents',
    routes: ['fleet.schedules'],
    async answer({ agent, state }, asker) {
      const read = await asker.read('fleet.schedules', { query: { target: asker.target } });
      const items = read.items.filter(
        (each) =>
          (agent === undefined || each.agent === agent || each.name === agent) &&
          (state === undefined || each.enabled === (state === 'active')),
      );
      return answered(asker, {
        head: `${counted(items.length, 'schedule')}.`,
        rows: items.map((each) => ({
          text: `${outsideText(each.agent)}: ${each.enabled ? `${outsideText(each.schedule)}${each.next_run === undefined ? '' : `, next ${each.next_run}`}` : 'suspended'}`,
        })),
        page: { tab: 'schedules' },
        result: { ...read, items },
      });
    },
  }),
];
