import type { KubeObject } from '../../kube-api/index.ts';
import { type JsonObject, listAt, objectAt, textAt } from '../../kube-api/object-fields.ts';

/** A pod with its one container in another state, and the conditions and the phase that follow from it. */
export function withContainer(pod: KubeObject, change: JsonObject, at: string): KubeObject {
  const [before] = listAt(pod, 'status', 'containerStatuses');
  const container = { ...before, ...change };
  const ready = Reflect.get(container, 'ready') === true;
  const name = textAt(container, 'name');
  const conditions = listAt(pod, 'status', 'conditions').filter(
    ({ type }) => type !== 'Ready' && type !== 'ContainersReady',
  );
  const condition = (type: string): JsonObject => {
    const old = listAt(pod, 'status', 'conditions').find((each) => each.type === type);
    const status = ready ? 'True' : 'False';
    return {
      type,
      status,
      ...(ready
        ? {}
        : { reason: 'ContainersNotReady', message: `containers with unready status: [${name}]` }),
      lastTransitionTime: old?.status === status ? old.lastTransitionTime : at,
    };
  };
  return {
    ...pod,
    status: {
      ...objectAt(pod, 'status'),
      // A container that waits to be started again has run.
      phase: 'Running',
      conditions: [...conditions, condition('Ready'), condition('ContainersReady')],
      containerStatuses: [container],
    },
  };
}

/** Returns whether its condition Ready is True. */
export function isReady(pod: KubeObject): boolean {
  return listAt(pod, 'status', 'conditions').some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  );
}

/**
 * Returns a container's variables that have a literal value; the others refer to sources the sandbox does not
 * have.
 */
export function literalEnv(container: JsonObject | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    listAt(container, 'env')
      .filter(({ valueFrom }) => valueFrom === undefined)
      .map((variable) => [textAt(variable, 'name'), textAt(variable, 'value')]),
  );
}
