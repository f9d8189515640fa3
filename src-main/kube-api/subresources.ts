import { numberAt, objectAt, textAt, valueAt } from './object-fields.ts';
import { badRequest, conflict, failure, notFound } from './status.ts';
import type { KubeObject, World } from './world.ts';
import { bodyObject, isDryRun, remove, update, type WriteRequest, type Written } from './writes.ts';

/** An object's `scale` (autoscaling/v1 Scale). */
export function scaleOf({ metadata, spec, status }: KubeObject): object {
  const { name, namespace, uid, resourceVersion } = metadata;
  const labels = objectAt(spec, 'selector', 'matchLabels');
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp: metadata.creationTimestamp },
    spec: { replicas: valueAt(spec, 'replicas') ?? 1 },
    status: {
      replicas: numberAt(status, 'replicas'),
      selector: Object.entries(labels)
        .map(([key, value]) => `${key}=${String(value)}`)
        .join(','),
    },
  };
}

/** PUT and PATCH of `scale`: sets the replicas of an object, and nothing else of it. */
export async function writeScale(request: WriteRequest, method: string): Promise<Written> {
  const { world, kind, address } = request;
  const name = address.name ?? '';
  const current = await world.get(kind, name, address.namespace);
  if (current === undefined) throw notFound(kind, name);
  const body = bodyObject(request);
  const wanted =
    valueAt(body, 'spec', 'replicas') ?? (method === 'PATCH' ? valueAt(current, 'spec', 'replicas') : 0);
  if (typeof wanted !== 'number' || !Number.isInteger(wanted) || wanted < 0)
    throw badRequest('spec.replicas is no whole number');
  const { uid, resourceVersion } = objectAt(body, 'metadata');
  if (uid !== undefined && uid !== current.metadata.uid) throw conflict(kind, name);
  const { body: written } = await update({
    ...request,
    address: { ...address, subresource: undefined },
    contentType: 'application/json',
    body: JSON.stringify({
      ...current,
      metadata: { ...current.metadata, resourceVersion: resourceVersion ?? current.metadata.resourceVersion },
      spec: { ...objectAt(current, 'spec'), replicas: wanted },
    }),
  });
  // What `update` answers is the object it wrote.
  return { code: 200, body: scaleOf(written as KubeObject) };
}

/** POST of a pod's `eviction` (policy/v1): deletes it, unless a disruption budget has none left. */
export async function evict(request: WriteRequest): Promise<Written> {
  const { world, kind, address } = request;
  const name = address.name ?? '';
  const pod = await world.get(kind, name, address.namespace);
  if (pod === undefined) throw notFound(kind, name);
  const body = bodyObject(request);
  const options = objectAt(body, 'deleteOptions');
  const budgets = world.kinds().find(({ plural }) => plural === 'poddisruptionbudgets');
  const own = budgets === undefined ? [] : await world.list(budgets, address.namespace);
  for (const budget of own) {
    if (!selectsPod(budget, pod)) continue;
    const allowed = numberAt(budget, 'status', 'disruptionsAllowed');
    if (allowed > 0) continue;
    throw failure({
      code: 429,
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: `The disruption budget ${budget.metadata.name} needs ${numberAt(budget, 'status', 'desiredHealthy')} healthy pods and has ${numberAt(budget, 'status', 'currentHealthy')} currently`,
            field: '',
          },
        ],
      },
    });
  }
  const query = new URLSearchParams(request.query);
  // A list in JSON; the one element of it where the body was protobuf.
  const tried = Array.isArray(options.dryRun) ? options.dryRun.includes('All') : options.dryRun === 'All';
  if (tried) query.set('dryRun', 'All');
  const { body: answer } = await remove({
    ...request,
    query,
    address: { ...address, subresource: undefined },
    contentType: 'application/json',
    body: JSON.stringify(options),
  });
  if (!isDryRun({ query }))
    for (const budget of own) if (selectsPod(budget, pod)) await takeOne(world, budget);
  return { code: 201, body: answer };
}

/** Of two evictions at once the second finds what the first left, as the server counts it down itself. */
async function takeOne(world: World, budget: KubeObject): Promise<void> {
  const kind = world.kinds().find(({ plural }) => plural === 'poddisruptionbudgets');
  if (kind === undefined || world.write === undefined) return;
  const now = (await world.get(kind, budget.metadata.name, budget.metadata.namespace)) ?? budget;
  const status = objectAt(now, 'status');
  await world.write.replace(kind, {
    ...now,
    status: { ...status, disruptionsAllowed: Math.max(numberAt(status, 'disruptionsAllowed') - 1, 0) },
  });
}

/** Returns whether a disruption budget covers a pod, by `matchLabels`. */
export function selectsPod(budget: KubeObject, pod: KubeObject): boolean {
  const wanted = Object.entries(objectAt(budget, 'spec', 'selector', 'matchLabels'));
  return wanted.every(([key, value]) => textAt(pod, 'metadata', 'labels', key) === value);
}
