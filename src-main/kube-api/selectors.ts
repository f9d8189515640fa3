import { parseSelector } from '../kube-objects/index.ts';
import { badRequest } from './status.ts';
import type { KubeKind, KubeObject } from './world.ts';

export type Matches = (object: KubeObject) => boolean;

/**
 * Returns whether an object has what `labelSelector` asks for, both forms of it. Throws a Status for one that cannot be
 * read.
 */
export function labelSelector(text: string): Matches {
  const matches = parseSelector(text);
  if (matches === undefined)
    throw badRequest(`unable to parse requirement: found '${text}', expected: an identifier and an operator`);
  return ({ metadata }) => matches(metadata.labels ?? {});
}

/** Fields that can be selected beside the two of metadata (pkg/registry and pkg/apis/core/v1/conversion.go). */
const selectable: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase'],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  secrets: ['type'],
  services: ['spec.clusterIP', 'spec.type'],
  replicasets: ['status.replicas'],
  jobs: ['status.successful'],
};

/** Returns whether an object has what `fieldSelector` asks for. Throws a Status for a field that cannot be selected. */
export function fieldSelector(kind: KubeKind, text: string): Matches {
  const wanted = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, field, operator, value] = /^([^\s=!]+)\s*(==|=|!=)\s*(.*)$/.exec(part) ?? [];
      if (field === undefined || operator === undefined || value === undefined)
        throw badRequest(`invalid selector: '${part}'; can't understand '${part}'`);
      const allowed = ['metadata.name', 'metadata.namespace', ...(selectable[kind.plural] ?? [])];
      if (!allowed.includes(field)) throw badRequest(`field label not supported: ${field}`);
      return (object: KubeObject) => (fieldText(object, field) === value) === (operator !== '!=');
    });
  return (object) => wanted.every((matches) => matches(object));
}

/** A field as text; what is absent is empty, and false for a flag. */
function fieldText(object: KubeObject, field: string): string {
  let value: unknown = object;
  for (const step of field.split('.'))
    value =
      typeof value === 'object' && value !== null && step in value
        ? value[step as keyof typeof value]
        : undefined;
  if (value === undefined || value === null)
    return field === 'spec.unschedulable' || field === 'spec.hostNetwork' ? 'false' : '';
  return field === 'source' && typeof value === 'object' && 'component' in value
    ? String(value.component)
    : String(value);
}
