import { pathOf } from '../../core/api.ts';

/** A pod's log: container, and the current or previous one. */
export type PodLogSource = {
  readonly target: string | undefined;
  readonly namespace: string;
  readonly pod: string;
  /** Undefined for all containers, each line behind its container's name. */
  readonly container: string | undefined;
  /** The run before the last restart. */
  readonly previous: boolean;
  /** New lines keep coming until the reading is stopped. */
  readonly follow: boolean;
  /** A duration such as `15m`, or a time. */
  readonly since: string | undefined;
  /** Newest lines only. */
  readonly tail: string | undefined;
};

/** The address of a pod's log. */
export function podLogAddress(source: PodLogSource): string {
  const { target, namespace, pod, container, previous, follow, since, tail } = source;
  const path = pathOf('cluster.logs')
    .replace('{namespace}', encodeURIComponent(namespace))
    .replace('{name}', encodeURIComponent(pod));
  const query = new URLSearchParams({
    ...(target !== undefined && { target }),
    ...(container !== undefined && { container }),
    ...(previous && { previous: 'true' }),
    ...(follow && { follow: 'true' }),
    ...(since !== undefined && { since }),
    ...(tail !== undefined && { tail }),
    // Always asked for, so that they are shown and hidden without reading anew.
    timestamps: 'true',
  });
  return `${path}?${query}`;
}
