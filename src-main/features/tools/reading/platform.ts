import { z } from 'zod';
import { outsideText } from '../outside-text.ts';
import { answered, counted, healthSentence, isBad, stateText, worstOf } from '../sentences.ts';
import { type ReadingTool, readingTool } from '../tool.ts';

const none = z.strictObject({});
const failing = z.enum(['failing']).optional();

/** Models, data, trust and intelligence. */
export const platformTools: readonly ReadingTool[] = [
  readingTool({
    name: 'inference',
    title: 'Inference',
    description: 'Inference engines as deployed: model, context, GPUs, replicas and out-of-memory history.',
    args: none,
    reveals: 'settings and states of inference engines',
    routes: ['fleet.inference'],
    async answer(_args, asker) {
      const read = await asker.read('fleet.inference', { query: { target: asker.target } });
      const killed = read.items.reduce((sum, each) => sum + each.out_of_memory.length, 0);
      return answered(asker, {
        head: `${healthSentence(
          read.items.map((each) => each.state),
          'engine',
        )} ${counted(killed, 'out-of-memory kill')}.`,
        rows: worstOf(read.items).map((each) => ({
          text: stateText(
            `${each.namespace}/${each.name}${each.model === undefined ? '' : ` (${each.model})`}`,
            each.state,
            each.reason,
          ),
        })),
        page: { tab: 'inference' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'models',
    title: 'Model cards',
    description: 'Model cards with live tiers, verdicts and tokens used.',
    args: none,
    reveals: 'model cards and token counts',
    routes: ['fleet.models'],
    async answer(_args, asker) {
      const read = await asker.read('fleet.models', { query: { target: asker.target } });
      return answered(asker, {
        head: `${counted(read.items.length, 'model')}, ${read.items.filter((each) => (each.live ?? []).length > 0).length} live.`,
        rows: read.items.map((each) => ({
          text: `${stateText(each.title, each.verdict, each.reason)}${each.tokens === undefined ? '' : ` (${each.tokens.generated.toLocaleString('en')} tokens generated)`}`,
        })),
        page: { tab: 'models' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'finops',
    title: 'FinOps',
    description: 'Requested compute by initiative and tenant.',
    args: z.strictObject({ by: z.enum(['tenant', 'initiative']).optional() }),
    reveals: 'compute by initiative and tenant',
    routes: ['fleet.finops'],
    async answer({ by }, asker) {
      const read = await asker.read('fleet.finops', { query: { target: asker.target } });
      const items = by === 'tenant' ? read.by_tenant : read.by_initiative;
      return answered(asker, {
        head: `${counted(items.length, by ?? 'initiative')}.`,
        rows: items.map((each) => ({
          text: `${outsideText(each.name ?? 'not allocated')}: ${each.cpu_cores.toFixed(2)} cores, ${(each.memory_bytes / 2 ** 30).toFixed(1)} GiB, ${each.gpus} GPUs`,
        })),
        page: { tab: 'finops' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'connections',
    title: 'Connections',
    description: 'Connections to data sources; credentials are never shown, only whether they are set.',
    args: z.strictObject({
      type: z.string().trim().min(1).max(63).optional(),
      tenant: z.string().trim().min(1).max(100).optional(),
    }),
    reveals: 'names, endpoints and settings of connections; never a credential',
    routes: ['connections.list'],
    async answer({ type, tenant }, asker) {
      const read = await asker.read('connections.list', { query: { type, tenant } });
      return answered(asker, {
        head: `${counted(read.items.length, 'connection')}.`,
        rows: read.items.map((each) => ({
          text: `${outsideText(each.name)}: ${outsideText(each.type)}, tenant ${outsideText(each.tenant)}`,
        })),
        page: { tab: 'connections' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'connection_status',
    title: 'Reachability of connections',
    description: 'The last probe of each connection; does not dial.',
    args: z.strictObject({ state: failing }),
    reveals: 'outcomes of probes',
    routes: ['connections.status'],
    async answer({ state }, asker) {
      const read = await asker.read('connections.status');
      const isOff = (outcome: string) => outcome === 'failed' || outcome === 'refused';
      const items = state === undefined ? read.items : read.items.filter((each) => isOff(each.outcome));
      return answered(asker, {
        head: `${counted(read.items.length, 'connection')}, ${read.items.filter((each) => isOff(each.outcome)).length} not reachable.`,
        rows: items.map((each) => ({ text: stateText(each.connection_id, each.outcome, each.detail) })),
        page: { tab: 'connections' },
        result: { ...read, items },
      });
    },
  }),
  readingTool({
    name: 'runners',
    title: 'Runners',
    description: 'Data-access runners and whether they are connected.',
    args: z.strictObject({ state: z.enum(['enrolling', 'connected', 'offline', 'revoked']).optional() }),
    reveals: 'names and states of runners; never a ticket or token',
    routes: ['runners.list'],
    async answer({ state }, asker) {
      const read = await asker.read('runners.list');
      const items = state === undefined ? read.items : read.items.filter((each) => each.state === state);
      return answered(asker, {
        head: `${counted(items.length, 'runner')}${state === undefined ? '' : ` ${state}`}.`,
        rows: items.map((each) => ({ text: `${outsideText(each.name)}: ${each.state}` })),
        page: { tab: 'runners' },
        result: { ...read, items },
      });
    },
  }),
  readingTool({
    name: 'data_lineage',
    title: 'Data lineage',
    description: 'Declared topology and the data flows that apps report.',
    args: none,
    reveals: 'names of data sources and flows between them',
    routes: ['dataLineage.read'],
    async answer(_args, asker) {
      const read = await asker.read('dataLineage.read', { query: { target: asker.target } });
      return answered(asker, {
        head: `${counted(read.nodes.length, 'node')}, ${counted(read.edges.length, 'flow').toLowerCase()}.`,
        rows: read.edges.map((each) => ({ text: outsideText(`${each.from} to ${each.to}: ${each.kind}`) })),
        page: { tab: 'dataLineage' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'domains',
    title: 'Data domains',
    description: 'Data domains clustered from the connections, with evidence.',
    args: none,
    reveals: 'names of domains and connections',
    routes: ['dataGovernance.domains'],
    async answer(_args, asker) {
      const read = await asker.read('dataGovernance.domains');
      return answered(asker, {
        head: `${counted(read.items.length, 'domain')}.`,
        rows: read.items.map((each) => ({
          text: `${outsideText(each.name)}: ${counted(each.connections.length, 'connection')}`,
        })),
        page: { tab: 'domains' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'governance',
    title: 'Governance',
    description: 'Ownership, credential storage and posture of namespaces.',
    args: none,
    reveals: 'owners and posture of namespaces',
    routes: ['estate.governance'],
    async answer(_args, asker) {
      const read = await asker.read('estate.governance', { query: { target: asker.target } });
      return answered(asker, {
        head: `${read.ownership.owned} of ${counted(read.ownership.namespaces, 'namespace')} owned.`,
        rows: read.ownership.unowned.map((each) => ({ text: `${outsideText(each)}: no owner` })),
        page: { tab: 'governance' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'guardrails',
    title: 'Guardrails',
    description: 'What the platform may do by itself, by class of acts.',
    args: none,
    reveals: 'autonomy by class of acts',
    routes: ['guardrails.read'],
    async answer(_args, asker) {
      const read = await asker.read('guardrails.read');
      return answered(asker, {
        head: `${counted(read.classes.length, 'class', 'classes')} of acts.`,
        rows: read.classes.map((each) => ({ text: `${each.class}: ${each.autonomy} (${each.acts})` })),
        page: { tab: 'access' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'compliance',
    title: 'Compliance',
    description: 'Each control with its outcome and evidence; never a score.',
    args: z.strictObject({ state: failing }),
    reveals: 'outcomes of controls',
    routes: ['intelligence.compliance'],
    async answer({ state }, asker) {
      const read = await asker.read('intelligence.compliance', { query: { target: asker.target } });
      const controls =
        state === undefined ? read.controls : read.controls.filter((each) => each.outcome === 'fail');
      return answered(asker, {
        head: `${counted(read.controls.length, 'control')}: ${read.outcomes.pass} pass, ${read.outcomes.fail} fail, the others not measured.`,
        rows: controls.map((each) => ({ text: stateText(each.title, each.outcome, each.finding) })),
        page: { tab: 'governance' },
        result: { ...read, controls },
      });
    },
  }),
  readingTool({
    name: 'maturity',
    title: 'Maturity',
    description: 'Five measured dimensions; a composite only when all are measured.',
    args: none,
    reveals: 'figures of five dimensions',
    routes: ['intelligence.maturity'],
    async answer(_args, asker) {
      const read = await asker.read('intelligence.maturity', { query: { target: asker.target } });
      return answered(asker, {
        head:
          read.composite === undefined
            ? 'Not all dimensions are measured.'
            : `Composite ${(read.composite * 100).toFixed(0)} %.`,
        rows: read.dimensions.map((each) => ({
          text: `${each.name}: ${each.share === undefined ? 'not measured' : `${each.share.part} of ${each.share.whole}`}. ${outsideText(each.counted)}`,
        })),
        page: { tab: 'governance' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'measures',
    title: 'Measures',
    description: 'Self-assessment: each category with one remediation where it fails.',
    args: none,
    reveals: 'outcomes of the self-assessment',
    routes: ['intelligence.measures'],
    async answer(_args, asker) {
      const read = await asker.read('intelligence.measures', { query: { target: asker.target } });
      return answered(asker, {
        head: `${counted(read.categories.length, 'category', 'categories')}: ${read.outcomes.pass} pass, ${read.outcomes.fail} fail.`,
        rows: read.categories
          .filter((each) => each.outcome === 'fail')
          .map((each) => ({ text: stateText(each.title, each.outcome, each.remediation ?? each.finding) })),
        page: { tab: 'governance' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'harness',
    title: 'Harness',
    description: 'Findings of measures and compliance that can be acted on.',
    args: none,
    reveals: 'findings with remediation',
    routes: ['intelligence.harness'],
    async answer(_args, asker) {
      const read = await asker.read('intelligence.harness', { query: { target: asker.target } });
      return answered(asker, {
        head: `${counted(read.items.length, 'finding')}.`,
        rows: read.items.map((each) => ({
          text: `${each.severity}: ${outsideText(each.title)}. ${outsideText(each.remediation)}`,
        })),
        page: { tab: 'governance' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'swarm',
    title: 'Swarm',
    description: 'Fleet health of agents, runs and latency over a window.',
    args: z.strictObject({ days: z.number().int().min(1).max(365).optional() }),
    reveals: 'figures about agents',
    routes: ['intelligence.swarm'],
    async answer({ days }, asker) {
      const read = await asker.read('intelligence.swarm', {
        query: {
          target: asker.target,
          days: days === undefined ? undefined : days <= 1 ? '1' : days <= 7 ? '7' : '28',
        },
      });
      return answered(asker, {
        head: `${counted(read.health.agents, 'agent')}, ${read.health.enabled} enabled, ${counted(read.runs.runs, 'run').toLowerCase()} in ${counted(read.window_days, 'day')}.`,
        rows: read.roster
          .filter((each) => isBad(each.state))
          .map((each) => ({ text: stateText(each.name, each.state, each.reason) })),
        page: { tab: 'agents' },
        result: read,
      });
    },
  }),
];
