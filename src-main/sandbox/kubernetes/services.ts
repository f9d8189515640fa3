import type { KubeObject } from '../../kube-api/index.ts';
import { ago, type EstateContext } from './context.ts';
import type { WorkloadSeed } from './seed-schema.ts';

/** A Service and its EndpointSlice for whatever listens. */
export function serviceObjects(
  context: EstateContext,
  workload: WorkloadSeed,
  pods: readonly KubeObject[],
): KubeObject[] {
  const { name, namespace, port, age } = workload;
  if (port === undefined) return [];
  return serviceAndSlice(context, {
    name,
    namespace,
    age,
    selector: { app: name },
    port,
    target: 'http',
    targetNumber: port,
    pods,
  });
}

type ServiceSpec = {
  readonly name: string;
  readonly namespace: string;
  readonly age: number;
  readonly selector: Readonly<Record<string, string>>;
  readonly port: number;
  readonly target: number | string;
  readonly targetNumber: number;
  readonly pods: readonly KubeObject[];
};

export function serviceAndSlice(context: EstateContext, spec: ServiceSpec): KubeObject[] {
  const { name, namespace, age, selector, port, target, targetNumber, pods } = spec;
  const metadata = { name, namespace, creationTimestamp: ago(context, age), labels: { app: name } };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        type: 'ClusterIP',
        clusterIP: clusterIp(`${namespace}/${name}`),
        selector,
        ports: [{ name: 'http', port, targetPort: target, protocol: 'TCP' }],
      },
      status: { loadBalancer: {} },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        name: `${name}-endpoints`,
        namespace,
        creationTimestamp: ago(context, age),
        labels: { 'kubernetes.io/service-name': name },
      },
      addressType: 'IPv4',
      ports: [{ name: 'http', port: targetNumber, protocol: 'TCP' }],
      endpoints: endpointsOf(pods),
    },
  ];
}

/** The pods of a service as its EndpointSlice has them. */
export function endpointsOf(pods: readonly KubeObject[]): object[] {
  return pods.flatMap((pod) => endpointOf(pod));
}

function endpointOf({ metadata, status }: KubeObject): object[] {
  if (typeof status !== 'object' || status === null || !('podIP' in status)) return [];
  const ready = JSON.stringify(status).includes('"type":"Ready","status":"True"');
  return [
    {
      addresses: [status.podIP],
      conditions: { ready, serving: ready, terminating: false },
      targetRef: { kind: 'Pod', name: metadata.name, namespace: metadata.namespace },
    },
  ];
}

function clusterIp(parts: string): string {
  const sum = [...parts].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 60_000, 7);
  return `10.96.${Math.floor(sum / 250)}.${(sum % 250) + 1}`;
}
