import type { ActOwner } from '#shared/api/acts.ts';
import { isJsonObject, listAt, objectAt, textAt, valueAt } from '../../base/json-fields.ts';
import type { RawObject } from '../../cluster-model/index.ts';
import type { ObjectAccess } from '../../sources/cluster/index.ts';
import type { ActContext } from './types.ts';

/** Names under which this console and people at a terminal set fields: nobody who sets them again. */
const byHand = /^(?:operator-console|kubectl)/;

/** Returns who else sets the fields that an act changes: what made the object, and who is named for the fields. */
export async function ownersOf(
  { access, object, address }: ActContext,
  paths: readonly string[],
): Promise<ActOwner[]> {
  if (paths.length === 0) return [];
  const owners = [...controllerOf(object), ...deliveryOf(object)];
  if (paths.some((path) => path === 'spec.replicas')) owners.push(...(await autoscalersOf(access, address)));
  const named = new Set(owners.map(({ name }) => name));
  return [...owners, ...managersOf(object, paths).filter(({ name }) => !named.has(name))];
}

function controllerOf(object: RawObject): ActOwner[] {
  const controller = listAt(object, 'metadata', 'ownerReferences').find((owner) => owner.controller === true);
  if (controller === undefined) return [];
  const [kind, name] = [textAt(controller, 'kind'), textAt(controller, 'name')];
  const namespace = textAt(object, 'metadata', 'namespace');
  return [
    {
      kind,
      name,
      ...(namespace === '' ? {} : { namespace }),
      effect: object.kind === 'Pod' ? 'owns' : 'undoes',
      sentence:
        object.kind === 'Pod'
          ? `${kind} ${name} makes a new pod in its place.`
          : `${kind} ${name} made this object and sets it back: change it there.`,
    },
  ];
}

/** Argo CD by its tracking label or annotation, Flux and Helm by their labels. */
function deliveryOf(object: RawObject): ActOwner[] {
  const labels = objectAt(object, 'metadata', 'labels');
  const annotations = objectAt(object, 'metadata', 'annotations');
  const href = '?tab=gitops';
  const tracking = textAt(annotations, 'argocd.argoproj.io/tracking-id').split(':')[0] ?? '';
  const application = tracking || textAt(labels, 'argocd.argoproj.io/instance');
  const owners: ActOwner[] = [];
  if (application !== '')
    owners.push({
      kind: 'Application',
      name: application,
      effect: 'may_undo',
      sentence: `Argo CD delivers this from ${application}: its next sync sets it back.`,
      href,
    });
  for (const [prefix, kind] of [
    ['kustomize.toolkit.fluxcd.io', 'Kustomization'],
    ['helm.toolkit.fluxcd.io', 'HelmRelease'],
  ] as const) {
    const name = textAt(labels, `${prefix}/name`);
    if (name !== '')
      owners.push({
        kind,
        name,
        namespace: textAt(labels, `${prefix}/namespace`),
        effect: kind === 'Kustomization' ? 'undoes' : 'may_undo',
        sentence: `Flux delivers this from ${kind} ${name}: it sets it back at its next reconciliation.`,
        href,
      });
  }
  const release = textAt(annotations, 'meta.helm.sh/release-name');
  if (release !== '' && owners.length === 0)
    owners.push({
      kind: 'Helm release',
      name: release,
      namespace: textAt(annotations, 'meta.helm.sh/release-namespace'),
      effect: 'may_undo',
      sentence: `Helm release ${release} sets it back at its next upgrade.`,
    });
  return owners;
}

/** HorizontalPodAutoscalers of a workload; none where they cannot be listed. */
async function autoscalersOf(access: ObjectAccess, address: ActContext['address']): Promise<ActOwner[]> {
  const found = await access.kindOf({ group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' });
  if (found.state !== 'read') return [];
  const listed = await access.list(found.kind, { namespace: address.namespace });
  if (listed.state !== 'read') return [];
  return listed.items
    .filter((each) => {
      const scaled = objectAt(each, 'spec', 'scaleTargetRef');
      return scaled.kind === address.kind && scaled.name === address.name;
    })
    .map((each) => {
      const name = textAt(each, 'metadata', 'name');
      const [least, largest] = [
        textAt(each, 'spec', 'minReplicas') || '1',
        textAt(each, 'spec', 'maxReplicas'),
      ];
      return {
        kind: 'HorizontalPodAutoscaler',
        name,
        ...(address.namespace === undefined ? {} : { namespace: address.namespace }),
        effect: 'undoes' as const,
        sentence: `HorizontalPodAutoscaler ${name} sets the replicas itself, between ${least} and ${largest}: change its bounds.`,
      };
    });
}

/** Who the server remembers for the fields (metadata.managedFields). */
function managersOf(object: RawObject, paths: readonly string[]): ActOwner[] {
  const managers = new Map<string, ActOwner>();
  for (const entry of listAt(object, 'metadata', 'managedFields')) {
    const name = textAt(entry, 'manager');
    if (name === '' || byHand.test(name) || managers.has(name)) continue;
    const owned = paths.filter((path) => sets(entry.fieldsV1, stepsOf(path)));
    if (owned.length === 0) continue;
    managers.set(name, {
      kind: 'Field manager',
      name,
      effect: textAt(entry, 'operation') === 'Apply' ? 'may_undo' : 'owns',
      sentence:
        textAt(entry, 'operation') === 'Apply'
          ? `${name} applies ${owned[0]} and may set it back.`
          : `${name} set ${owned[0]} last.`,
    });
  }
  return [...managers.values()];
}

/** `spec.containers.[web].image` as the steps of managed fields: `f:spec`, `f:containers`, `k:{"name":"web"}`, `f:image`. */
function stepsOf(path: string): readonly string[] {
  return path
    .split(/\.(?![^[]*\])/)
    .map((step) => (step.startsWith('[') ? `k:{"name":"${step.slice(1, -1)}"}` : `f:${step}`));
}

function sets(fields: unknown, steps: readonly string[]): boolean {
  const [step, ...rest] = steps;
  if (step === undefined) return true;
  const inner = valueAt(fields, step) ?? elementOf(fields, step);
  if (inner === undefined) return false;
  return !isJsonObject(inner) || Object.keys(inner).length === 0 || sets(inner, rest);
}

/** An element of a list by its name, which may be one of several keys. */
function elementOf(fields: unknown, step: string): unknown {
  if (!step.startsWith('k:') || !isJsonObject(fields)) return undefined;
  const name = step.slice('k:{'.length, -1);
  return Object.entries(fields).find(([key]) => key.startsWith('k:') && key.includes(name))?.[1];
}
