import { z } from 'zod';
import { outsideText } from '../outside-text.ts';
import { answered, counted, healthSentence, isBad, placeIn, stateText, worstOf } from '../sentences.ts';
import { type ReadingTool, readingTool } from '../tool.ts';

/** A name of Kubernetes; whether there is one of that name is for the cluster to say. */
export const name = z.string().trim().min(1).max(253);
export const namespace = name.optional().describe('Only in this namespace.');
const failing = z.enum(['failing']).optional().describe('Only what fails or is degraded.');

const clusterFacts = 'names, states and reasons of Kubernetes objects; never values of Secrets';

/** The pages of a cluster: nodes, namespaces, services, routes, certificates, control planes, metrics. */
export const clusterTools: readonly ReadingTool[] = [
  readingTool({
    name: 'overview',
    title: 'What needs attention',
    description: 'Says what needs attention now: workloads, instances and findings of the chosen cluster.',
    args: z.strictObject({}),
    reveals: clusterFacts,
    routes: ['cluster.dashboard'],
    async answer(_args, asker) {
      const result = await asker.read('cluster.dashboard', { query: { target: asker.target } });
      const { attention, workloads, instances } = result;
      return answered(asker, {
        head:
          attention.length === 0
            ? `Nothing needs attention. ${healthSentence(
                workloads.map(({ state }) => state),
                'tracked workload',
              )}`
            : `${counted(attention.length, 'thing')} ${attention.length === 1 ? 'needs' : 'need'} attention. ${counted(workloads.length, 'tracked workload')}, ${counted(instances.length, 'instance').toLowerCase()}.`,
        rows: attention.map(({ title, state, cause, place }) => ({
          text: stateText(title, state, cause),
          address: placeIn(place, asker),
        })),
        page: { tab: 'overview' },
        result,
      });
    },
  }),
  readingTool({
    name: 'nodes',
    title: 'Nodes',
    description: 'Lists the nodes with readiness, pressure and dedication.',
    args: z.strictObject({ state: failing }),
    reveals: clusterFacts,
    routes: ['cluster.nodes'],
    async answer({ state }, asker) {
      const read = await asker.read('cluster.nodes', { query: { target: asker.target } });
      const items = worstOf(
        state === undefined ? read.items : read.items.filter((each) => isBad(each.state)),
      );
      return answered(asker, {
        head: healthSentence(
          read.items.map((each) => each.state),
          'node',
        ),
        rows: items.map((each) => ({
          text: stateText(each.name, each.state, each.reason),
          address: placeIn({ tab: 'nodes', record: each.name }, asker),
        })),
        page: { tab: 'nodes' },
        result: { ...read, items },
      });
    },
  }),
  readingTool({
    name: 'node',
    title: 'One node',
    description: 'Describes one node: conditions, capacity, and the pods on it.',
    args: z.strictObject({ name }),
    reveals: clusterFacts,
    routes: ['cluster.node'],
    async answer(args, asker) {
      const result = await asker.read('cluster.node', {
        params: { name: args.name },
        query: { target: asker.target },
      });
      const pods = result.namespaces.flatMap((each) => each.pods);
      const { node } = result;
      return answered(asker, {
        head: `${node === undefined ? `Node ${outsideText(args.name)}: not read` : stateText(`Node ${node.name}`, node.state, node.reason)}. ${counted(pods.length, 'pod')} on it.`,
        rows: worstOf(pods).map((pod) => ({
          text: stateText(`${pod.namespace}/${pod.name}`, pod.state, pod.reason ?? pod.status),
        })),
        page: { tab: 'nodes', record: args.name },
        result,
      });
    },
  }),
  readingTool({
    name: 'namespaces',
    title: 'Namespaces',
    description: 'Lists the namespaces with a verdict, failing pods and quotas.',
    args: z.strictObject({ state: failing }),
    reveals: clusterFacts,
    routes: ['cluster.namespaces'],
    async answer({ state }, asker) {
      const read = await asker.read('cluster.namespaces', { query: { target: asker.target } });
      const all = worstOf(read.items.map((each) => ({ ...each, state: each.verdict.state })));
      const items = state === undefined ? all : all.filter((each) => isBad(each.state));
      return answered(asker, {
        head: healthSentence(
          all.map((each) => each.state),
          'namespace',
        ),
        rows: items.map((each) => ({
          text: stateText(each.name, each.state, each.verdict.reasons[0]),
          address: placeIn({ tab: 'namespaces', record: each.name }, asker),
        })),
        page: { tab: 'namespaces' },
        result: { ...read, items: items.map(({ state: _, ...each }) => each) },
      });
    },
  }),
  readingTool({
    name: 'namespace',
    title: 'One namespace',
    description: 'Describes one namespace: its verdict, workloads, pods and events.',
    args: z.strictObject({ name }),
    reveals: clusterFacts,
    routes: ['cluster.namespace'],
    async answer(args, asker) {
      const result = await asker.read('cluster.namespace', {
        params: { name: args.name },
        query: { target: asker.target },
      });
      const verdict = result.namespace?.verdict;
      return answered(asker, {
        head: `${stateText(`Namespace ${args.name}`, verdict?.state ?? 'not_read', verdict?.reasons[0])}. ${counted(result.workloads.length, 'workload')}, ${counted(result.pods.length, 'pod').toLowerCase()}.`,
        rows: worstOf(result.workloads).map((each) => ({
          text: stateText(`${each.kind} ${each.name}`, each.state, each.reason),
        })),
        page: { tab: 'namespaces', record: args.name },
        result,
      });
    },
  }),
  readingTool({
    name: 'pods',
    title: 'Pods',
    description: 'Lists pods of a namespace, or the failing pods of all namespaces.',
    args: z.strictObject({ namespace, state: failing }),
    reveals: clusterFacts,
    routes: ['cluster.namespaces', 'cluster.namespace'],
    async answer({ namespace: within, state }, asker) {
      if (within === undefined) {
        const read = await asker.read('cluster.namespaces', { query: { target: asker.target } });
        const items = read.items.flatMap((each) =>
          each.failing_pods.map((pod) => ({ ...pod, namespace: each.name })),
        );
        const all = read.items.reduce((sum, each) => sum + (each.counts.pods ?? 0), 0);
        return answered(asker, {
          head: `${counted(all, 'pod')}, ${items.length === 0 ? 'none' : items.length} failing.`,
          rows: items.map((pod) => ({
            text: stateText(`${pod.namespace}/${pod.name}`, pod.status, pod.reason),
            address: placeIn(
              { tab: 'namespaces', record: pod.namespace, panel: 'pods', name: pod.name },
              asker,
            ),
          })),
          page: { tab: 'namespaces' },
          result: { ...read, items },
        });
      }
      const read = await asker.read('cluster.namespace', {
        params: { name: within },
        query: { target: asker.target },
      });
      const items = worstOf(state === undefined ? read.pods : read.pods.filter((pod) => isBad(pod.state)));
      return answered(asker, {
        head: healthSentence(
          read.pods.map((pod) => pod.state),
          'pod',
        ),
        rows: items.map((pod) => ({
          text: stateText(`${pod.namespace}/${pod.name}`, pod.state, pod.reason ?? pod.status),
          address: placeIn(
            { tab: 'namespaces', record: pod.namespace, panel: 'pods', name: pod.name },
            asker,
          ),
        })),
        page: { tab: 'namespaces', record: within, panel: 'pods' },
        result: {
          pods: items,
          source: read.source,
          complete: read.complete,
          read_at: read.read_at,
          unmeasured: read.unmeasured,
        },
      });
    },
  }),
  readingTool({
    name: 'workloads',
    title: 'Workloads',
    description: 'Lists Deployments, StatefulSets and other workloads of a namespace, or the tracked ones.',
    args: z.strictObject({ namespace, state: failing }),
    reveals: clusterFacts,
    routes: ['cluster.dashboard', 'cluster.namespace'],
    async answer({ namespace: within, state }, asker) {
      const query = { target: asker.target };
      const read =
        within === undefined
          ? await asker.read('cluster.dashboard', { query })
          : await asker.read('cluster.namespace', { params: { name: within }, query });
      const items = worstOf(
        state === undefined ? read.workloads : read.workloads.filter((each) => isBad(each.state)),
      );
      return answered(asker, {
        head: healthSentence(
          read.workloads.map((each) => each.state),
          within === undefined ? 'tracked workload' : 'workload',
        ),
        rows: items.map((each) => ({
          text: stateText(`${each.kind} ${each.namespace}/${each.name}`, each.state, each.reason),
          address: placeIn(
            {
              tab: 'namespaces',
              panel: 'workloads',
              kind: each.kind,
              record: each.namespace,
              name: each.name,
            },
            asker,
          ),
        })),
        page:
          within === undefined
            ? { tab: 'overview' }
            : { tab: 'namespaces', record: within, panel: 'workloads' },
        result: {
          items,
          source: read.source,
          complete: read.complete,
          read_at: read.read_at,
          unmeasured: read.unmeasured,
        },
      });
    },
  }),
  readingTool({
    name: 'events',
    title: 'Events',
    description: 'Lists the events of a namespace, or how many warnings each namespace has.',
    args: z.strictObject({ namespace }),
    reveals: clusterFacts,
    routes: ['cluster.namespaces', 'cluster.namespace'],
    async answer({ namespace: within }, asker) {
      const query = { target: asker.target };
      if (within === undefined) {
        const read = await asker.read('cluster.namespaces', { query });
        const items = read.items
          .filter((each) => (each.warning_events ?? 0) > 0)
          .toSorted((a, b) => (b.warning_events ?? 0) - (a.warning_events ?? 0));
        return answered(asker, {
          head: `${counted(items.length, 'namespace')} with warning events.`,
          rows: items.map((each) => ({
            text: `${outsideText(each.name)}: ${counted(each.warning_events ?? 0, 'warning event')}`,
            address: placeIn({ tab: 'namespaces', record: each.name, panel: 'events' }, asker),
          })),
          page: { tab: 'namespaces' },
          result: {
            ...read,
            items: items.map((each) => ({ name: each.name, warning_events: each.warning_events })),
          },
        });
      }
      const read = await asker.read('cluster.namespace', { params: { name: within }, query });
      return answered(asker, {
        head: `${counted(read.events.length, 'event')} in ${outsideText(within)}.`,
        rows: read.events.map((event) => ({
          text: outsideText(`${event.object.kind} ${event.object.name}: ${event.reason}. ${event.message}`),
        })),
        page: { tab: 'namespaces', record: within, panel: 'events' },
        result: {
          events: read.events,
          source: read.source,
          complete: read.complete,
          read_at: read.read_at,
          unmeasured: read.unmeasured,
        },
      });
    },
  }),
  readingTool({
    name: 'services',
    title: 'Services',
    description: 'Lists Services with their endpoints and what runs behind them.',
    args: z.strictObject({ namespace, state: failing }),
    reveals: clusterFacts,
    routes: ['cluster.services'],
    async answer({ namespace: within, state }, asker) {
      const read = await asker.read('cluster.services', {
        query: { target: asker.target, namespace: within },
      });
      const items = worstOf(
        state === undefined ? read.items : read.items.filter((each) => isBad(each.state)),
      );
      return answered(asker, {
        head: healthSentence(
          read.items.map((each) => each.state),
          'Service',
        ),
        rows: items.map((each) => ({
          text: stateText(`${each.namespace}/${each.name}`, each.state, each.reason),
          address: placeIn({ tab: 'services', record: `${each.namespace}/${each.name}` }, asker),
        })),
        page: { tab: 'services' },
        result: { ...read, items },
      });
    },
  }),
  readingTool({
    name: 'routes',
    title: 'Network routes',
    description: 'Traces Ingresses and HTTPRoutes from host to pods and names the first hop that fails.',
    args: z.strictObject({ state: failing }),
    reveals: clusterFacts,
    routes: ['cluster.routes'],
    async answer({ state }, asker) {
      const read = await asker.read('cluster.routes', { query: { target: asker.target } });
      const items = worstOf(
        state === undefined ? read.items : read.items.filter((each) => isBad(each.state)),
      );
      return answered(asker, {
        head: healthSentence(
          read.items.map((each) => each.state),
          'route',
        ),
        rows: items.map((each) => ({
          text: stateText(
            `${each.kind} ${each.namespace === undefined ? '' : `${each.namespace}/`}${each.name}`,
            each.state,
            each.reason,
          ),
          address: placeIn({ tab: 'routes', q: each.name }, asker),
        })),
        page: { tab: 'routes' },
        result: { ...read, items },
      });
    },
  }),
  readingTool({
    name: 'certificates',
    title: 'Certificates',
    description: 'Lists mesh CAs and other certificates with the days they are still valid.',
    args: z.strictObject({
      namespace,
      days: z
        .number()
        .int()
        .min(0)
        .max(3650)
        .optional()
        .describe('Only those that expire within this many days; 0 for expired ones.'),
    }),
    reveals: 'subjects, fingerprints and expiry of certificates; never a private key',
    routes: ['cluster.security'],
    async answer({ namespace: within, days }, asker) {
      const read = await asker.read('cluster.security', { query: { target: asker.target } });
      const asked = (each: { namespace: string; days_left: number }) =>
        (within === undefined || each.namespace === within) && (days === undefined || each.days_left <= days);
      const items = read.items.filter(asked);
      const certificates = read.certificates.filter(asked);
      const both = [...items, ...certificates].toSorted((a, b) => a.days_left - b.days_left);
      return answered(asker, {
        head: `${counted(both.length, 'certificate')}${days === undefined ? '' : days === 0 ? ' expired' : ` expired or expiring within ${counted(days, 'day')}`}.`,
        rows: both.map((each) => ({
          text: `${outsideText(each.subject)} in ${outsideText(`${each.namespace} ${each.found_in}`)}: ${each.days_left < 0 ? 'expired' : `${counted(each.days_left, 'day')} left`}`,
        })),
        page: { tab: 'security' },
        result: { ...read, items, certificates },
      });
    },
  }),
  readingTool({
    name: 'control_planes',
    title: 'Control planes',
    description: "Lists the operators' control planes: phase, probes and drift.",
    args: z.strictObject({}),
    reveals: clusterFacts,
    routes: ['cluster.controlPlanes'],
    async answer(_args, asker) {
      const read = await asker.read('cluster.controlPlanes', { query: { target: asker.target } });
      return answered(asker, {
        head: healthSentence(
          read.items.map((each) => each.state),
          'control plane',
        ),
        rows: worstOf(read.items).map((each) => ({
          text: stateText(`${each.kind} ${each.namespace}/${each.name}`, each.state, each.reason),
          address: placeIn(
            { tab: 'controlPlanes', record: `${each.kind}/${each.namespace}/${each.name}` },
            asker,
          ),
        })),
        page: { tab: 'controlPlanes' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'metrics',
    title: 'CPU and memory',
    description: 'Lists the workloads that use most CPU and memory, against what they request.',
    args: z.strictObject({}),
    reveals: clusterFacts,
    routes: ['cluster.metrics'],
    async answer(_args, asker) {
      const read = await asker.read('cluster.metrics', { query: { target: asker.target } });
      if (!('workloads' in read)) throw new Error('the metrics were answered in another form');
      const items = read.workloads.toSorted((a, b) => b.cpu_cores - a.cpu_cores);
      return answered(asker, {
        head: `${counted(items.length, 'workload')} measured.`,
        rows: items.map((each) => ({
          text: `${outsideText(`${each.kind} ${each.namespace}/${each.name}`)}: ${each.cpu_cores.toFixed(2)} cores, ${Math.round(each.memory_bytes / 2 ** 20)} MiB`,
        })),
        page: { tab: 'namespaces' },
        result: { ...read, workloads: items },
      });
    },
  }),
];
