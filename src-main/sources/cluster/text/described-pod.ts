import type { RawObject } from '../../../cluster-model/index.ts';
import { timeOfText } from './ages.ts';
import { type Field, fieldOf, numberOf, tableOf, textOf } from './describe-tree.ts';

type Container = { readonly spec: RawObject; readonly status: RawObject };

/** Returns `spec` and `status` of a pod from its description (kubectl, pkg/describe, describePod). */
export function describedPod(root: Field): { readonly spec: RawObject; readonly status: RawObject } {
  const containers = containersOf(fieldOf(root, 'Containers'));
  const init = containersOf(fieldOf(root, 'Init Containers'));
  const phase = /^[A-Z][A-Za-z]+/.exec(textOf(root, 'Status') ?? '')?.[0];
  const conditions = conditionsOf(root);
  return {
    spec: {
      // `node/10.0.0.1`, and `<none>` where it has none.
      nodeName: textOf(root, 'Node')?.split('/')[0],
      priorityClassName: textOf(root, 'Priority Class Name'),
      containers: containers.map(({ spec }) => spec),
      initContainers: init.map(({ spec }) => spec),
    },
    status: {
      phase: phase === 'Terminating' ? 'Running' : phase,
      reason: textOf(root, 'Reason'),
      message: textOf(root, 'Message'),
      startTime: timeOfText(textOf(root, 'Start Time')),
      conditions,
      containerStatuses: containers.flatMap(({ status }) => (status.state === undefined ? [] : [status])),
      initContainerStatuses: init.flatMap(({ status }) => (status.state === undefined ? [] : [status])),
    },
  };
}

/** Returns the conditions of a description's table; a Pod's has no more than type and status. */
export function conditionsOf(root: Field): RawObject[] {
  return tableOf(fieldOf(root, 'Conditions')).flatMap((row) => {
    const { Type: type, Status: status, Reason: reason, Message: message } = row;
    if (type === undefined || status === undefined || !/^(?:True|False|Unknown)$/.test(status)) return [];
    return [
      {
        type,
        status,
        ...(reason === undefined ? {} : { reason }),
        ...(message === undefined ? {} : { message }),
        lastTransitionTime: timeOfText(row.LastTransitionTime),
        lastHeartbeatTime: timeOfText(row.LastHeartbeatTime),
      },
    ];
  });
}

/** Returns the containers below a field, of a pod or of a template. */
export function containersOf(holder: Field | undefined): Container[] {
  return (holder?.fields ?? []).flatMap((own): Container[] => {
    if (own.fields.length === 0) return [];
    const image = textOf(own, 'Image');
    const ready = textOf(own, 'Ready');
    return [
      {
        spec: {
          name: own.key,
          image,
          ports: portsOf(own),
          resources: { requests: amountsIn(own, 'Requests'), limits: amountsIn(own, 'Limits') },
          ...probe(own, 'Readiness', 'readinessProbe'),
          ...probe(own, 'Liveness', 'livenessProbe'),
          ...probe(own, 'Startup', 'startupProbe'),
        },
        status: {
          name: own.key,
          image,
          imageID: textOf(own, 'Image ID'),
          ready: ready === undefined ? undefined : ready === 'True',
          started: fieldOf(own, 'State')?.value === 'Running',
          restartCount: numberOf(own, 'Restart Count'),
          state: stateOf(fieldOf(own, 'State')),
          lastState: stateOf(fieldOf(own, 'Last State')) ?? {},
        },
      },
    ];
  });
}

function stateOf(state: Field | undefined): RawObject | undefined {
  switch (state?.value.split('\n')[0]) {
    case 'Waiting':
      return { waiting: { reason: textOf(state, 'Reason'), message: textOf(state, 'Message') } };
    case 'Running':
      return { running: { startedAt: timeOfText(textOf(state, 'Started')) } };
    case 'Terminated':
      return {
        terminated: {
          reason: textOf(state, 'Reason'),
          message: textOf(state, 'Message'),
          exitCode: numberOf(state, 'Exit Code'),
          signal: numberOf(state, 'Signal'),
          startedAt: timeOfText(textOf(state, 'Started')),
          finishedAt: timeOfText(textOf(state, 'Finished')),
        },
      };
    default:
      return undefined;
  }
}

function portsOf(own: Field): RawObject[] {
  const text = textOf(own, 'Ports') ?? textOf(own, 'Port') ?? '';
  // `8080/TCP (http)` since Kubernetes 1.32, `8080/TCP` before.
  return [...text.matchAll(/(\d+)\/(TCP|UDP|SCTP)(?: \(([\w-]+)\))?/g)].map(([, port, protocol, name]) => ({
    containerPort: Number(port),
    protocol,
    ...(name === undefined ? {} : { name }),
  }));
}

function amountsIn(own: Field, key: string): Record<string, string> {
  return Object.fromEntries((fieldOf(own, key)?.fields ?? []).map(({ key: name, value }) => [name, value]));
}

function probe(own: Field, key: string, field: string): RawObject {
  const text = textOf(own, key);
  if (text === undefined) return {};
  const [, scheme, port, path] = /^http-get (https?):\/\/:?([\w-]+)(\/\S*)?/.exec(text) ?? [];
  const socket = /^tcp-socket :(\w+)/.exec(text)?.[1];
  const handler =
    port !== undefined
      ? { httpGet: { port, path: path ?? '/', scheme: scheme?.toUpperCase() } }
      : socket !== undefined
        ? { tcpSocket: { port: socket } }
        : {};
  return { [field]: handler };
}
