import { z } from 'zod';
import type { HealthAnswer, ObjectRef } from '#shared/api/cluster.ts';
import { parsedJson } from '../../../base/parsed-json.ts';
import { healthAnswerOf, serviceOf } from '../../../cluster-model/index.ts';
import type { Cluster, ReadHealth } from '../../../sources/cluster/index.ts';
import type { HttpSeen } from '../logs/seen.ts';
import type { Backend } from './backends.ts';
import type { ListingsBeforeEvents } from './listings.ts';

/** The answers of a backend's health endpoints. */
export type BackendHealth = {
  readonly backend: Backend;
  /** Undefined where no service leads to it. */
  readonly answers: readonly HealthEndpoint[] | undefined;
};

const indexes = new WeakMap<readonly BackendHealth[], ReadonlyMap<ObjectRef, BackendHealth>>();

/** Finds the answers of the backend of a custom resource, by an index that is made once for the same answers. */
export function answersOf(
  health: readonly BackendHealth[] | undefined,
  resource: ObjectRef,
): readonly HealthEndpoint[] | undefined {
  if (health === undefined) return undefined;
  let index = indexes.get(health);
  if (index === undefined) {
    index = new Map(health.map((each) => [each.backend.resource, each]));
    indexes.set(health, index);
  }
  return index.get(resource)?.answers;
}

export type HealthEndpoint = {
  readonly name: 'livez' | 'readyz' | 'auth_config';
  /** Such as `/readyz`. */
  readonly path: string;
  readonly answer: HealthAnswer;
  readonly body: Body;
};

/** Fields of the answers (BCK-005, BCK-009) that say more than whether it passed. */
const body = z
  .object({ model_ready: z.boolean().optional(), google_client_id: z.string().optional() })
  .catch({});
type Body = z.infer<typeof body>;

/** Number of backends contacted at a time. */
const atATime = 6;

/**
 * Reads the health endpoints of every backend that has a service. Ends early, with the answers so far, when
 * the signal aborts.
 */
export async function readBackendHealth(
  cluster: Cluster,
  backends: readonly Backend[],
  { services }: ListingsBeforeEvents,
  { readHealth, signal }: { readonly readHealth: ReadHealth; readonly signal: AbortSignal },
): Promise<BackendHealth[]> {
  const found: BackendHealth[] = [];
  const request = async (backend: Backend): Promise<BackendHealth> => {
    const service = serviceOf(backend, services.items);
    if (service === undefined) return { backend, answers: undefined };
    const reads = await readHealth(cluster, { backend: backend.row.backend, service, port: backend.port });
    return {
      backend,
      answers: reads.map(({ name, path, read }) => ({
        name,
        path,
        answer: healthAnswerOf(path, read),
        body: read.state === 'read' ? body.parse(parsedJson(read.body)) : {},
      })),
    };
  };
  for (let from = 0; from < backends.length && !signal.aborted; from += atATime)
    found.push(...(await Promise.all(backends.slice(from, from + atATime).map(request))));
  return found;
}

export function seenHealth(health: readonly BackendHealth[]): HttpSeen[] {
  return health.flatMap(({ backend, answers = [] }) =>
    answers.flatMap(({ path, answer, body: { model_ready } }): HttpSeen[] =>
      answer.state === 'not_read' || !isPath(path)
        ? []
        : [
            {
              kind: 'http',
              object: backend.owner,
              owner: backend.owner,
              ref: path,
              values: { path },
              path,
              failed: answer.state === 'fail',
              detail: answer.detail,
              checks: [
                ...(answer.checks ?? []).map(({ name, status, detail }) => ({
                  name,
                  failed: status === 'fail',
                  ...(detail === undefined ? {} : { detail }),
                })),
                ...(model_ready === undefined
                  ? []
                  : [{ name: 'model_ready', failed: !model_ready, detail: `model_ready is ${model_ready}` }]),
              ],
            },
          ],
    ),
  );
}

const paths = ['/livez', '/readyz', '/auth/config', '/health'];
const isPath = (path: string): boolean => paths.includes(path);
