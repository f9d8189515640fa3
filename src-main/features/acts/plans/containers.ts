import { isJsonObject, type JsonObject, listAt, valueAt } from '../../../base/json-fields.ts';
import type { RawObject } from '../../../cluster-model/index.ts';

/** Where the containers of a workload are. */
const places: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/** Returns the path of a workload's pod spec; undefined for a kind without one that can be changed. */
export function podSpecPath(kind: unknown): readonly string[] | undefined {
  return typeof kind === 'string' ? places[kind] : undefined;
}

/**
 * Returns the containers of a workload; of a custom resource with `spec.image` or `spec.env` one that stands for what its operator
 * makes; undefined for anything else.
 */
export function containersOf(object: RawObject): readonly JsonObject[] | undefined {
  const path = podSpecPath(object.kind);
  if (path !== undefined) return listAt(object, ...path, 'containers');
  const group = typeof object.apiVersion === 'string' ? object.apiVersion.split('/')[0] : '';
  const spec = valueAt(object, 'spec');
  if (group?.includes('.') !== true || !isJsonObject(spec)) return undefined;
  const hasImage = typeof spec.image === 'string';
  return hasImage || Array.isArray(spec.env)
    ? [{ name: '', image: spec.image ?? '', env: spec.env ?? [] }]
    : undefined;
}
