import type { KnownNames, Slots } from './read-message.ts';
import { kind, ns, type Rule } from './rule.ts';

const act = (tool: string, verb: string, more: Partial<Rule> = {}): Rule => ({
  tool,
  needs: [verb],
  takes: ['name'],
  might: ['kind', 'namespace'],
  args: (slots) => ({ name: slots.name, ...kind(slots), ...ns(slots) }),
  ...more,
});
const onNode = (tool: string, verb: string): Rule => ({
  tool,
  needs: [verb],
  may: ['on', 'topic:pods', 'since'],
  takes: ['name'],
  might: ['kind'],
  when: (slots) => slots.kind === undefined || slots.kind === 'Node',
  args: ({ name }) => ({ name }),
});

/** Forms of messages that ask for an act. */
export const actingRules: readonly Rule[] = [
  act('restart', 'verb:restart'),
  act('scale', 'verb:scale', {
    may: ['to', 'topic:replicas'],
    takes: ['name', 'number'],
    args: (slots) => ({ name: slots.name, replicas: slots.number, ...kind(slots), ...ns(slots) }),
  }),
  act('rollback', 'verb:rollback', { may: ['topic:rollout', 'last', 'to'] }),
  act('rollback', 'verb:rollback', {
    may: ['topic:rollout', 'to'],
    takes: ['name', 'number'],
    args: (slots) => ({ name: slots.name, revision: slots.number, ...kind(slots), ...ns(slots) }),
  }),
  act('delete_pod', 'verb:delete', {
    might: ['kind', 'namespace'],
    when: (slots, known) =>
      slots.kind === 'Pod' || (slots.kind === undefined && known.get(slots.name ?? '')?.has('pod') === true),
    args: (slots) => ({ name: slots.name, ...ns(slots) }),
  }),
  onNode('cordon', 'verb:cordon'),
  onNode('uncordon', 'verb:uncordon'),
  onNode('drain', 'verb:drain'),
  act('run_cron_job', 'verb:run', { may: ['topic:jobs', 'topic:runs'] }),
  act('suspend', 'verb:suspend', {
    when: (slots, known) => known.get(slots.name ?? '')?.has('agent') !== true,
  }),
  act('resume', 'verb:resume', {
    when: (slots, known) => known.get(slots.name ?? '')?.has('agent') !== true,
  }),
  ...(
    [
      ['arm', ['verb:arm', 'verb:resume']],
      ['disarm', ['verb:disarm', 'verb:suspend']],
    ] as const
  ).flatMap(([tool, verbs]) =>
    verbs.map((verb) => ({
      tool,
      needs: [verb],
      may: ['topic:agent', 'topic:schedules'],
      takes: ['name' as const],
      when: (slots: Slots, known: KnownNames) =>
        verb === `verb:${tool}` || known.get(slots.name ?? '')?.has('agent') === true,
      args: ({ name }: Slots) => ({ agent: name }),
    })),
  ),
  act('set_image', 'verb:set_image', {
    may: ['to'],
    takes: ['name', 'image'],
    might: ['kind', 'namespace', 'container'],
    args: (slots) => ({
      name: slots.name,
      image: slots.image,
      ...kind(slots),
      ...ns(slots),
      ...(slots.container === undefined ? {} : { container: slots.container }),
    }),
  }),
  act('set_env', 'verb:set_env', {
    may: ['to', 'on'],
    takes: ['name', 'assign'],
    might: ['kind', 'namespace', 'container'],
    args: (slots) => ({
      name: slots.name,
      variable: slots.assign?.name,
      value: slots.assign?.value,
      ...kind(slots),
      ...ns(slots),
      ...(slots.container === undefined ? {} : { container: slots.container }),
    }),
  }),
];
