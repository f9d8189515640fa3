import type { Handlers } from '#shared/api/handler.ts';
import type { ObjectView, RelatedObject } from '#shared/api/objects.ts';
import { ConsoleError } from '#shared/errors.ts';
import { isJsonObject, listAt, objectAt, textAt, textsAt } from '../../base/json-fields.ts';
import {
  describeConditions,
  describeEvents,
  type Listing,
  type RawObject,
  resources,
  timeOf,
} from '../../cluster-model/index.ts';
import {
  type Cluster,
  clusterReading,
  type DiscoveredKind,
  findKind,
  ownersOf,
  resourceOf,
} from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { kindsOf } from './kinds.ts';
import { ownedBy } from './owned.ts';

/** The annotation that repeats the object, a Secret's values in clear. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Where events about objects without a namespace are. */
const defaultNamespace = 'default';

/** `GET /api/objects/{kind}/{name}/view`. `now`: epoch ms. */
export function viewHandlers(targetOf: OpenTargetOf, now: () => number): Pick<Handlers, 'objects.view'> {
  return {
    'objects.view': async ({ params, query }, { caller, signal }) => {
      const target = await targetOf(query.target, caller);
      const { cluster } = target;
      const { kinds, gaps, state } = await kindsOf(cluster, signal, now);
      const kind = findKind(kinds, { kind: params.kind, group: query.group });
      if (kind === undefined) {
        if (state === 'read') throw new ConsoleError('NotFound', `There is no kind ${params.kind} here.`);
        return { ...nothing, ...clusterReading(target, [{ state: 'unavailable', gaps, readAt: now() }]) };
      }
      const namespace = kind.namespaced ? query.namespace : undefined;
      if (kind.namespaced && namespace === undefined)
        throw new ConsoleError('BadInput', `A ${kind.kind} is in a namespace: name it with ?namespace=.`);
      const read = await cluster.get(resourceOf(kind), params.name, namespace);
      if (read.state === 'missing') throw new ConsoleError('NotFound', read.reason);
      if (read.state === 'unread')
        return {
          ...nothing,
          ...clusterReading(target, [{ state: 'unavailable', gaps: [read.reason], readAt: now() }]),
        };
      const { object } = read;
      const [events, owned, owners] = await Promise.all([
        cluster.list(resources.events, { namespace: namespace ?? defaultNamespace }),
        ownedBy({ cluster, kinds, object, namespace, signal }),
        readOwners(cluster, kinds, object, namespace),
      ]);
      return {
        object: identity(kind, object),
        conditions: conditionsOf(object),
        owners,
        owned: [...owned.objects],
        events: eventsAbout(events, kind, params.name),
        ...clusterReading(target, [{ state: 'read', gaps: [], readAt: read.readAt }, events], owned.gaps),
      };
    },
  };
}

const nothing = { conditions: [], owners: [], owned: [], events: [] };

function identity(kind: DiscoveredKind, object: RawObject): NonNullable<ObjectView['object']> {
  const metadata = objectAt(object, 'metadata');
  const { generation } = metadata;
  return {
    group: kind.group,
    version: kind.version,
    plural: kind.plural,
    kind: kind.kind,
    name: textAt(metadata, 'name'),
    namespace: textAt(metadata, 'namespace') || undefined,
    uid: textAt(metadata, 'uid') || undefined,
    created_at: timeOf(textAt(metadata, 'creationTimestamp') || undefined),
    deleted_at: timeOf(textAt(metadata, 'deletionTimestamp') || undefined),
    ...(typeof generation === 'number' && Number.isInteger(generation) && generation >= 0
      ? { generation }
      : {}),
    resource_version: textAt(metadata, 'resourceVersion') || undefined,
    labels: texts(metadata.labels),
    annotations: texts(metadata.annotations, [lastApplied]),
    finalizers: [...textsAt(metadata, 'finalizers')],
  };
}

function texts(entries: unknown, without: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    Object.entries(isJsonObject(entries) ? entries : {}).flatMap(([key, value]) =>
      without.includes(key) ? [] : [[key, String(value)]],
    ),
  );
}

/** The conditions of an object's status, as most kinds have them. */
function conditionsOf(object: RawObject) {
  return describeConditions(
    listAt(object, 'status', 'conditions').flatMap((each) =>
      typeof each.type === 'string'
        ? [
            {
              type: each.type,
              status: textAt(each, 'status'),
              reason: textAt(each, 'reason'),
              message: textAt(each, 'message'),
              lastTransitionTime: textAt(each, 'lastTransitionTime') || undefined,
            },
          ]
        : [],
    ),
  );
}

function eventsAbout(
  events: Listing<Parameters<typeof describeEvents>[0][number]>,
  { kind }: DiscoveredKind,
  name: string,
) {
  return describeEvents(
    events.items.filter(({ involvedObject: about }) => about.kind === kind && about.name === name),
  );
}

/** Reads whether each owner is there; an owner is in the object's own namespace, or in none. */
async function readOwners(
  cluster: Cluster,
  kinds: readonly DiscoveredKind[],
  object: RawObject,
  namespace: string | undefined,
): Promise<RelatedObject[]> {
  const owners = ownersOf(objectAt(object, 'metadata')).toSorted(
    (a, b) => Number(b.controller) - Number(a.controller),
  );
  return Promise.all(
    owners.map(async (owner): Promise<RelatedObject> => {
      const group = owner.apiVersion.includes('/') ? (owner.apiVersion.split('/')[0] ?? '') : '';
      const kind = findKind(kinds, { kind: owner.kind, group });
      const within = kind?.namespaced === false ? undefined : namespace;
      const read = kind === undefined ? undefined : await cluster.get(resourceOf(kind), owner.name, within);
      return {
        group,
        kind: owner.kind,
        name: owner.name,
        ...(within === undefined ? {} : { namespace: within }),
        relation: owner.controller ? 'controlled by' : 'owned by',
        ...(read === undefined || read.state === 'unread' ? {} : { found: isSame(read, owner.uid) }),
      };
    }),
  );
}

/** An object of the same name that was created later is another one. */
function isSame(
  read: { readonly state: string; readonly object?: RawObject },
  uid: string | undefined,
): boolean {
  if (read.state !== 'read') return false;
  const found = textAt(read.object, 'metadata', 'uid');
  return uid === undefined || found === '' || found === uid;
}
