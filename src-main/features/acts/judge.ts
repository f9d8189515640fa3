import { createHash } from 'node:crypto';
import type { ActObject } from '#shared/api/acts.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { Cluster, ObjectAccess } from '../../sources/cluster/index.ts';
import { argsOf, definitionOf, type Right, takesKind } from './definitions.ts';
import { objectLabel, revisionOf, uidOf } from './plans/identity.ts';
import type { ActContext, ActRequest, Plan } from './types.ts';

/** An act as it is judged now: the object as it was read, and what would be done. */
export type Judged = {
  readonly digest: string;
  readonly context: ActContext;
  readonly plan: Plan;
  /** Why the identity of this console may not do it, as the cluster says; undefined when it may. */
  readonly forbidden: string | undefined;
};

/**
 * Reads the object and plans the act. Throws `BadInput` for arguments or a kind that the act does not take, `NotFound`,
 * `Refused` for a target that no act can change, `Unavailable` when the cluster does not answer.
 */
export async function judgeAct(
  cluster: Cluster,
  request: ActRequest,
  { key, now }: { readonly key: string; readonly now: number },
): Promise<Judged> {
  const { act, object: address } = request;
  const definition = definitionOf(act);
  const args = argsOf(act, request.args);
  if (!takesKind(definition, address))
    throw new ConsoleError('BadInput', `"${definition.title}" is not for ${address.kind}.`);
  const access = accessTo(cluster);
  const context = await readContext(access, address, { key, now });
  const plan = await definition.plan(context, args);
  return {
    digest: digestOf({ ...request, args }, context),
    context,
    plan,
    forbidden: await forbiddenOf(definition.rights, context),
  };
}

/** Returns the access to objects of a target. Throws `Refused` for a bundle or pasted text. */
export function accessTo({ objectAccess }: Pick<Cluster, 'objectAccess'>): ObjectAccess {
  if (objectAccess === undefined)
    throw new ConsoleError('Refused', 'This target is not a live cluster: nothing in it can be changed.');
  return objectAccess;
}

/** Reads an object for an act. Throws `NotFound` and `Unavailable`. */
export async function readContext(
  access: ObjectAccess,
  address: ActObject,
  { key, now }: { readonly key: string; readonly now: number },
): Promise<ActContext> {
  const found = await access.kindOf(address);
  if (found.state !== 'read')
    throw new ConsoleError(found.state === 'missing' ? 'NotFound' : 'Unavailable', found.reason);
  const { kind } = found;
  if (kind.namespaced !== (address.namespace !== undefined))
    throw new ConsoleError(
      'BadInput',
      kind.namespaced ? `${kind.kind} needs a namespace.` : `${kind.kind} has no namespace.`,
    );
  const read = await access.read(kind, address.name, address.namespace);
  if (read.state !== 'read')
    throw new ConsoleError(read.state === 'missing' ? 'NotFound' : 'Unavailable', read.reason);
  return { access, kind, object: read.object, address, key, now };
}

/** Returns why the identity of this console may not do an act, as the cluster says now; undefined when it may. */
export async function forbiddenOf(
  rights: readonly Right[],
  { access, kind, address }: ActContext,
): Promise<string | undefined> {
  for (const { verb, subresource, group = kind.group, resource = kind.plural, everywhere } of rights) {
    const isOwn = resource === kind.plural && group === kind.group;
    const allowed = await access.mayNow({
      verb,
      group,
      resource,
      subresource,
      namespace: everywhere === true ? undefined : address.namespace,
      name: isOwn ? address.name : undefined,
    });
    const named = `${resource}${subresource === undefined ? '' : `/${subresource}`}`;
    const where = everywhere === true || address.namespace === undefined ? '' : ` in ${address.namespace}`;
    if (allowed === false) return `The cluster does not allow this console to ${verb} ${named}${where}.`;
  }
  return undefined;
}

function digestOf(
  { target, act, object, args }: ActRequest,
  { object: read }: Pick<ActContext, 'object'>,
): string {
  const { group, version, kind, namespace, name } = object;
  const judged = [
    target,
    act,
    [group, version, kind, namespace ?? '', name],
    sorted(args),
    uidOf(read),
    revisionOf(read),
  ];
  return createHash('sha256').update(JSON.stringify(judged)).digest('hex');
}

/** The same text for the same arguments, in whatever order they are given. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([name, inner]): [string, unknown] => [name, sorted(inner)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Names the object of an act in records: `sandbox: Deployment apps/web`. */
export function recordTarget({ target, object }: Pick<ActRequest, 'target' | 'object'>): string {
  return `${target}: ${objectLabel(object)}`;
}
