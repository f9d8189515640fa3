import type { ObjectOf } from '../../../cluster-model/index.ts';
import { resources } from '../../../cluster-model/index.ts';
import type { Cluster } from '../../../sources/cluster/index.ts';
import { countsTokens, type TokenUse, tokenUse } from '../inference/engines/engine-metrics.ts';
import type { Serving } from '../inference/serving.ts';

type Service = ObjectOf<typeof resources.services>;

/** Time limit of each answer, in ms: a page does not wait for a busy engine. */
const answersWithin = 3_000;

/** Token use of a workload, or why it is unknown, a clause. */
export type UseRead =
  | { readonly ok: true; readonly use: readonly TokenUse[] }
  | { readonly ok: false; readonly reason: string };

/**
 * Asks the engines of a workload for their metrics, through the API server: by their Service when one replica answers
 * for all, else each pod by itself, because a Service gives the counters of any one of them.
 */
export async function readTokenUse(
  cluster: Cluster,
  serving: Serving,
  signal: AbortSignal,
): Promise<UseRead> {
  const { engine } = serving.settings;
  if (!countsTokens(engine))
    return {
      ok: false,
      reason: engine === undefined ? 'its engine is not known' : `${engine} counts no tokens`,
    };
  if (serving.replicas.ready === 0) return { ok: false, reason: 'none of its replicas is ready' };
  const services = await cluster.list(resources.services, { namespace: serving.namespace });
  const paths = serving.replicas.ready === 1 ? servicePath(serving, services.items) : podPaths(serving);
  if (paths.length === 0)
    return { ok: false, reason: services.gaps[0] ?? 'no Service or port leads to its metrics' };
  const within = AbortSignal.any([signal, AbortSignal.timeout(answersWithin)]);
  const answers = await Promise.all(paths.map((path) => cluster.httpGet(path, within)));
  const use: TokenUse[] = [];
  for (const answer of answers) {
    if (answer.state === 'unread') return { ok: false, reason: answer.reason };
    if (answer.status !== 200) return { ok: false, reason: `its metrics answered ${answer.status}` };
    const known = tokenUse(answer.body, engine);
    if (known === undefined) return { ok: false, reason: 'its metrics hold no token counters' };
    use.push(known);
  }
  return { ok: true, use };
}

function servicePath({ namespace, podLabels }: Serving, services: readonly Service[]): string[] {
  const service = services.find(({ spec }) => {
    const selected = Object.entries(spec.selector);
    return selected.length > 0 && selected.every(([key, value]) => podLabels[key] === value);
  });
  const ports = service?.spec.ports ?? [];
  const port = ports.find(({ name }) => name !== undefined && /metrics|http/.test(name)) ?? ports[0];
  return service === undefined || port === undefined
    ? []
    : [`/api/v1/namespaces/${namespace}/services/${service.metadata.name}:${port.port}/proxy/metrics`];
}

function podPaths({ namespace, pods, container }: Serving): string[] {
  const ports = container?.ports ?? [];
  const port = ports.find(({ name }) => name !== undefined && /metrics|http/.test(name)) ?? ports[0];
  if (port === undefined) return [];
  return pods
    .filter(({ status }) =>
      status.conditions.some(({ type, status: holds }) => type === 'Ready' && holds === 'True'),
    )
    .map(
      ({ metadata }) =>
        `/api/v1/namespaces/${namespace}/pods/${metadata.name}:${port.containerPort}/proxy/metrics`,
    );
}
