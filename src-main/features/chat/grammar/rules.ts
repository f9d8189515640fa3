import { actingRules } from './acting-rules.ts';
import type { KnownNames, Slot, Slots } from './read-message.ts';
import { auditRules, runRules } from './record-rules.ts';
import { kind, ns, type Rule, repo } from './rule.ts';

const failingWords = ['state:failing', 'state:failed', 'topic:problems'];
const failing = { state: 'failing' };
const isNode = (slots: Slots, known: KnownNames): boolean =>
  slots.kind === 'Node' || (slots.kind === undefined && known.get(slots.name ?? '')?.has('node') === true);
const isOther = (slots: Slots, known: KnownNames): boolean => !isNode(slots, known);

/** A topic that is listed whole, or only what fails of it. */
function list(
  tool: string,
  topic: string,
  more: { ns?: boolean; may?: readonly string[]; kind?: string } = {},
): Rule[] {
  const might: Slot[] = more.ns === true ? ['namespace'] : [];
  const may = ['weak:status', 'topic:cluster', ...(more.may ?? [])];
  const when = (slots: Slots) => slots.kind === undefined || slots.kind === more.kind;
  const slots: readonly Slot[] = more.kind === undefined ? might : [...might, 'kind'];
  return [
    { tool, needs: [topic], may, might, args: ns },
    ...failingWords.map((word) => ({
      tool,
      needs: [topic, word],
      may: [...may, ...failingWords, 'word:namespace', 'severity:warning', 'verb:why'],
      might: slots,
      when,
      args: (given: Slots) => ({ ...ns(given), ...failing }),
    })),
  ];
}

/** A topic of a page without arguments. */
const page = (tool: string, topic: string, may: readonly string[] = []): Rule => ({
  tool,
  needs: [topic],
  may: ['weak:status', 'topic:cluster', ...may],
});

const whyMay = [
  ...failingWords,
  'weak:status',
  'state:running',
  'state:queued',
  'here',
  'on',
  'verb:reach',
  'state:oom',
  'state:unreachable',
];
const whyArgs = (slots: Slots) => ({ name: slots.name, ...kind(slots), ...ns(slots) });

/** Every form the grammar understands. More concepts matched wins; then the order here. */
export const rules: readonly Rule[] = [
  { tool: 'help', needs: ['verb:help'] },
  { tool: 'brief', needs: ['verb:brief'], may: ['weak:status'], might: ['since', 'days'] },
  page('overview', 'topic:overview', failingWords),
  { tool: 'overview', needs: ['weak:status'], may: ['topic:cluster'] },

  ...list('nodes', 'topic:nodes'),
  {
    tool: 'nodes',
    needs: ['state:failing'],
    may: ['weak:status'],
    takes: ['kind'],
    when: (slots) => slots.kind === 'Node' && slots.name === undefined,
    args: () => failing,
  },
  {
    tool: 'node',
    needs: [],
    may: ['topic:nodes', 'topic:pods', 'on', 'state:running', 'weak:status', 'topic:workloads'],
    takes: ['name'],
    might: ['kind'],
    when: isNode,
    args: ({ name }) => ({ name }),
  },
  ...list('namespaces', 'topic:namespaces'),
  {
    tool: 'namespace',
    needs: [],
    may: ['word:namespace', 'weak:status', 'topic:namespaces', 'state:running'],
    takes: ['namespace'],
    args: ({ namespace }) => ({ name: namespace }),
  },
  ...list('pods', 'topic:pods', { ns: true }),
  {
    tool: 'pods',
    needs: ['state:failing'],
    may: ['weak:status'],
    takes: ['kind'],
    might: ['namespace'],
    when: (slots) => slots.kind === 'Pod' && slots.name === undefined,
    args: (slots) => ({ ...ns(slots), ...failing }),
  },
  ...list('workloads', 'topic:workloads', { ns: true }),
  ...list('services', 'topic:services', { ns: true, kind: 'Service' }),
  {
    tool: 'services',
    needs: ['state:failing'],
    takes: ['kind'],
    might: ['namespace'],
    when: (slots) => slots.kind === 'Service' && slots.name === undefined,
    args: (slots) => ({ ...ns(slots), ...failing }),
  },
  ...list('routes', 'topic:routes'),
  {
    tool: 'events',
    needs: ['topic:events'],
    may: ['severity:warning', 'weak:status', 'last'],
    might: ['namespace'],
    args: ns,
  },
  page('control_planes', 'topic:control_planes', ['topic:drift', ...failingWords]),
  page('control_planes', 'topic:drift'),
  {
    tool: 'certificates',
    needs: ['topic:certificates'],
    may: ['weak:status', 'state:expiring', 'verb:verify', 'word:when'],
    might: ['namespace'],
    args: ns,
  },
  {
    tool: 'certificates',
    needs: ['topic:certificates'],
    may: ['state:expiring', 'last', 'weak:status', 'word:days', 'state:expired'],
    takes: ['days'],
    might: ['namespace', 'since'],
    args: (slots) => ({ days: slots.days, ...ns(slots) }),
  },
  {
    tool: 'certificates',
    // "soon" is a month: what is not renewed by itself by then needs a person.
    needs: ['topic:certificates', 'word:soon'],
    may: ['state:expiring'],
    might: ['namespace'],
    args: (slots) => ({ days: 30, ...ns(slots) }),
  },
  {
    tool: 'certificates',
    needs: ['topic:certificates', 'state:expired'],
    might: ['namespace'],
    args: (slots) => ({ days: 0, ...ns(slots) }),
  },
  page('metrics', 'topic:metrics', ['topic:workloads', 'topic:pods', 'topic:who']),

  {
    tool: 'why',
    needs: ['verb:why'],
    may: whyMay,
    takes: ['name'],
    might: ['kind', 'namespace'],
    args: whyArgs,
  },
  {
    tool: 'why',
    needs: [],
    may: [...failingWords, 'weak:status', 'state:running', 'state:oom'],
    takes: ['name'],
    might: ['kind', 'namespace'],
    when: isOther,
    args: whyArgs,
  },
  {
    tool: 'diagnose',
    needs: ['topic:problems'],
    may: ['topic:cluster', 'weak:status', 'state:failing'],
    might: ['namespace'],
    args: ns,
  },
  {
    tool: 'diagnose',
    needs: ['verb:why'],
    may: ['topic:cluster', 'weak:status', 'state:failing', 'topic:problems'],
    might: ['namespace'],
    args: ns,
  },
  {
    tool: 'diagnose',
    needs: ['state:failing'],
    may: ['topic:cluster', 'weak:status', 'topic:problems'],
    might: ['namespace'],
    args: ns,
  },
  ...(['critical', 'warning'] as const).map((severity) => ({
    tool: 'diagnose',
    needs: [`severity:${severity}`, 'topic:problems'],
    may: ['topic:cluster'],
    might: ['namespace' as const],
    args: (slots: Slots) => ({ severity, ...ns(slots) }),
  })),
  ...(
    [
      ['area:network', 'network'],
      ['area:storage', 'storage'],
      ['area:scheduling', 'scheduling'],
      ['area:images', 'images'],
      ['area:configuration', 'configuration'],
      ['topic:certificates', 'certificates'],
      ['topic:nodes', 'nodes'],
      ['topic:jobs', 'jobs'],
      ['topic:models', 'models'],
    ] as const
  ).map(([concept, area]) => ({
    tool: 'diagnose',
    needs: [concept, 'topic:problems'],
    may: ['topic:cluster', 'state:failing', 'weak:status'],
    might: ['namespace' as const],
    args: (slots: Slots) => ({ area, ...ns(slots) }),
  })),
  {
    tool: 'logs',
    needs: ['topic:logs'],
    may: ['topic:lines', 'last', 'weak:status', 'since', 'topic:pods'],
    takes: ['name'],
    might: ['namespace', 'container', 'number', 'since', 'kind', 'days'],
    args: logArgs({}),
  },
  ...['state:previous', 'verb:previous', 'last'].map((word) => ({
    tool: 'logs',
    needs: ['topic:logs', word],
    may: ['topic:lines', 'state:previous', 'verb:previous', 'since'],
    takes: ['name' as const],
    might: ['namespace' as const, 'container' as const, 'kind' as const],
    when: (slots: Slots) => word !== 'last' || slots.number === undefined,
    args: logArgs(word === 'last' ? {} : { previous: true }),
  })),
  { tool: 'yaml', needs: ['topic:yaml'], takes: ['name', 'kind'], might: ['namespace'], args: whyArgs },
  {
    tool: 'find',
    needs: ['verb:find'],
    takes: ['name'],
    might: ['kind', 'namespace'],
    args: ({ name }) => ({ q: name }),
  },
  { tool: 'find', needs: ['verb:find'], takes: ['namespace'], args: ({ namespace }) => ({ q: namespace }) },

  page('gitops', 'topic:gitops', ['topic:apps_word', 'topic:workloads']),
  ...['state:out_of_sync', 'state:failing'].map((word) => ({
    tool: 'gitops',
    needs: word === 'state:failing' ? ['topic:gitops', word] : [word],
    may: ['topic:gitops', 'topic:apps_word', 'weak:status'],
    args: () => failing,
  })),
  { tool: 'lineage', needs: ['topic:lineage'], might: ['repo'], args: repo },
  {
    tool: 'lineage',
    needs: [],
    may: ['topic:lineage', 'verb:shipped', 'state:running', 'verb:find', 'in', 'on', 'to', 'verb:reach'],
    takes: ['sha'],
    args: ({ sha }) => ({ sha }),
  },
  {
    tool: 'devex',
    needs: ['topic:devex'],
    may: ['last', 'word:days', 'weak:status'],
    might: ['days', 'since'],
    args: ({ days }) => (days === undefined ? {} : { days }),
  },
  page('doctor', 'topic:doctor', [
    'topic:runs',
    'state:success',
    'state:failed',
    'state:failing',
    'topic:schedules',
    'last',
  ]),
  ...runRules(),
  {
    tool: 'reviews',
    needs: ['topic:reviews'],
    may: ['last', 'verb:find_things', 'verb:find', 'weak:status'],
    might: ['repo'],
    args: repo,
  },
  { tool: 'agent_config', needs: ['topic:agent_config'], might: ['repo'], args: repo },
  page('agents', 'topic:agents'),
  ...failingWords.map((word) => ({
    tool: 'agents',
    needs: ['topic:agents', word],
    may: failingWords,
    args: () => failing,
  })),
  page('schedules', 'topic:schedules', ['topic:agents', 'topic:runs', 'word:when']),
  {
    tool: 'schedules',
    needs: ['topic:schedules'],
    may: ['topic:agent', 'topic:runs', 'last', 'word:when'],
    takes: ['name'],
    args: ({ name }) => ({ agent: name }),
  },
  ...(['suspended', 'active'] as const).flatMap((state) => [
    { tool: 'schedules', needs: ['topic:agents', `state:${state}`], args: () => ({ state }) },
    { tool: 'schedules', needs: ['topic:schedules', `state:${state}`], args: () => ({ state }) },
    {
      tool: 'schedules',
      needs: [`state:${state}`],
      may: ['topic:agent'],
      takes: ['name' as const],
      args: ({ name }: Slots) => ({ agent: name }),
    },
  ]),

  page('inference', 'topic:inference', ['state:oom', 'topic:models']),
  page('models', 'topic:models', [
    'topic:tokens',
    'state:running',
    'verb:shipped',
    'topic:metrics',
    'weak:status',
  ]),
  page('models', 'topic:tokens', ['topic:metrics']),
  page('finops', 'topic:finops', ['topic:metrics']),
  ...(['tenant', 'initiative'] as const).map((by) => ({
    tool: 'finops',
    needs: ['topic:finops', `topic:${by}`],
    may: ['by', 'topic:metrics'],
    args: () => ({ by }),
  })),
  {
    tool: 'connections',
    needs: ['topic:connections'],
    might: ['type'],
    args: ({ type }) => (type === undefined ? {} : { type }),
  },
  page('connection_status', 'verb:reach', ['topic:connections']),
  { tool: 'connection_status', needs: ['topic:connections', 'verb:reach'], may: ['weak:status'] },
  ...['state:unreachable', 'state:failing', 'state:offline', 'state:failed'].map((word) => ({
    tool: 'connection_status',
    needs: ['topic:connections', word],
    may: ['state:unreachable', 'verb:reach'],
    args: () => failing,
  })),
  page('runners', 'topic:runners'),
  ...['state:offline', 'state:unreachable', 'state:failing'].map((word) => ({
    tool: 'runners',
    needs: ['topic:runners', word],
    args: () => ({ state: 'offline' }),
  })),
  { tool: 'runners', needs: ['topic:runners', 'verb:reach'], args: () => ({ state: 'connected' }) },
  page('data_lineage', 'topic:data_lineage'),
  page('domains', 'topic:domains'),
  page('governance', 'topic:governance', ['topic:namespaces']),
  page('guardrails', 'topic:guardrails', ['topic:agents', 'topic:cluster', 'topic:access']),
  page('compliance', 'topic:compliance'),
  ...failingWords.map((word) => ({
    tool: 'compliance',
    needs: ['topic:compliance', word],
    may: failingWords,
    args: () => failing,
  })),
  page('maturity', 'topic:maturity'),
  page('measures', 'topic:measures'),
  page('harness', 'topic:harness', ['topic:problems']),
  page('swarm', 'topic:swarm', ['weak:status', 'topic:agents']),

  ...auditRules(),
  page('verify_audit', 'topic:chain', ['verb:verify', 'topic:audit']),
  { tool: 'verify_audit', needs: ['verb:verify', 'topic:audit'], may: ['topic:chain'] },
  page('access', 'topic:access', ['topic:who']),
  page('targets', 'topic:targets'),
  page('symptoms', 'topic:symptoms'),
  page('apps', 'topic:apps', ['topic:apps_word']),

  ...actingRules,
];

function logArgs(more: Record<string, unknown>) {
  return ({ name, namespace, container, number, since: from }: Slots): Record<string, unknown> => ({
    pod: name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(container === undefined ? {} : { container }),
    ...(number === undefined ? {} : { tail: number }),
    ...(from === undefined ? {} : { since: from }),
    ...more,
  });
}
