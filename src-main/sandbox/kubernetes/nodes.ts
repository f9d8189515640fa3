import { labels } from '#shared/platform/labels.ts';
import type { KubeObject } from '../../kube-api/index.ts';
import { ago, type EstateContext } from './context.ts';

/** Nodes, namespaces and their quotas. */
export function nodesAndNamespaces(context: EstateContext): KubeObject[] {
  const { seed } = context;
  return [
    ...seed.nodes.map((node, index) => nodeObject(context, node, index)),
    ...seed.namespaces.map(({ name, tenant, initiative }) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name,
        creationTimestamp: ago(context, 210 * day),
        labels: {
          ...(tenant === undefined ? {} : { [labels.tenant]: tenant }),
          ...(initiative === undefined ? {} : { [labels.initiative]: initiative }),
        },
      },
    })),
  ];
}

const day = 86_400_000;

function nodeObject(
  context: EstateContext,
  node: EstateContext['seed']['nodes'][number],
  index: number,
): KubeObject {
  const { name, roles, cpu, memory, gpus, dedicated, memory_pressure: pressure } = node;
  const capacity = {
    cpu: String(cpu),
    memory,
    pods: '110',
    'ephemeral-storage': '200Gi',
    ...(gpus === undefined ? {} : { 'nvidia.com/gpu': String(gpus) }),
  };
  const taints = [
    ...(roles.includes('control-plane')
      ? [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }]
      : []),
    ...(gpus === undefined ? [] : [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }]),
    ...(dedicated === undefined ? [] : [{ key: labels.dedicated, value: dedicated, effect: 'NoSchedule' }]),
    ...(pressure === undefined
      ? []
      : [
          {
            key: 'node.kubernetes.io/memory-pressure',
            effect: 'NoSchedule',
            timeAdded: ago(context, pressure),
          },
        ]),
  ];
  const condition = (type: string, status: string, reason: string, message: string, since: number) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: ago(context, 20_000),
    lastTransitionTime: ago(context, since),
  });
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      creationTimestamp: ago(context, node.age),
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/zone': `harbour-${(index % 3) + 1}`,
        ...Object.fromEntries(roles.map((role) => [`node-role.kubernetes.io/${role}`, ''])),
        ...(dedicated === undefined ? {} : { [labels.dedicated]: dedicated }),
      },
    },
    spec: { podCIDR: `10.42.${index}.0/24`, ...(taints.length === 0 ? {} : { taints }) },
    status: {
      capacity,
      allocatable: capacity,
      conditions: [
        pressure === undefined
          ? condition(
              'MemoryPressure',
              'False',
              'KubeletHasSufficientMemory',
              'kubelet has sufficient memory available',
              node.age,
            )
          : condition(
              'MemoryPressure',
              'True',
              'KubeletHasInsufficientMemory',
              'kubelet has insufficient memory available',
              pressure,
            ),
        condition(
          'DiskPressure',
          'False',
          'KubeletHasNoDiskPressure',
          'kubelet has no disk pressure',
          node.age,
        ),
        condition(
          'PIDPressure',
          'False',
          'KubeletHasSufficientPID',
          'kubelet has sufficient PID available',
          node.age,
        ),
        condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status', node.age),
      ],
      addresses: [
        { type: 'InternalIP', address: `10.0.0.${10 + index}` },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: {
        machineID: '',
        systemUUID: '',
        bootID: `sandbox-${name}`,
        kernelVersion: '6.12.0',
        osImage: 'Debian GNU/Linux 13 (trixie)',
        containerRuntimeVersion: 'containerd://2.2.0',
        kubeletVersion: 'v1.36.2',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  };
}
