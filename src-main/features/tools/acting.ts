import { z } from 'zod';
import type { ActClass } from '#shared/api/guardrails.ts';
import { name } from './reading/cluster.ts';
import { type ActingTool, actingTool } from './tool.ts';

const within = name.optional().describe('Namespace; looked up when left out.');
const kindOf = z.string().trim().min(1).max(63).optional().describe('Kind; looked up when left out.');
const object = { name, kind: kindOf, namespace: within } as const;
const node = z.strictObject({ name });

const workloads = ['Deployment', 'StatefulSet', 'DaemonSet'] as const;
const scalable = ['Deployment', 'StatefulSet', 'ReplicaSet'] as const;

/** What every proposal of an act shows, and to whom. */
const reveals = 'what would change, to members of CONSOLE_CLUSTER_ADMINS';

type Plain = {
  readonly name: string;
  readonly kind?: string | undefined;
  readonly namespace?: string | undefined;
};
const objectOf = ({ name: of, kind, namespace }: Plain) => ({ name: of, kind, namespace });

function simple(
  act: string,
  title: string,
  description: string,
  kinds: readonly string[],
  of: ActClass = 'workloads',
): ActingTool {
  return actingTool({
    name: act,
    title,
    description,
    args: z.strictObject(object),
    reveals,
    class: of,
    kinds,
    wanted: (args) => ({ act, ...objectOf(args), args: {} }),
  });
}

/**
 * Tools that change something. None acts by itself: each proposes an act of the console, which a person confirms with
 * a code. `apply` is none of them: a manifest is edited and reviewed on the object's page.
 */
export const actingTools: readonly ActingTool[] = [
  simple('restart', 'Restart', 'Restarts the pods of a workload, one after the other.', workloads),
  actingTool({
    name: 'scale',
    title: 'Scale',
    description: 'Sets the number of replicas of a workload.',
    args: z.strictObject({ ...object, replicas: z.number().int().min(0).max(10_000) }),
    reveals,
    class: 'workloads',
    kinds: scalable,
    wanted: ({ replicas, ...args }) => ({ act: 'scale', ...objectOf(args), args: { replicas } }),
  }),
  actingTool({
    name: 'rollback',
    title: 'Roll back',
    description: 'Rolls a workload back to the revision before, or to a named one.',
    args: z.strictObject({ ...object, revision: z.number().int().min(1).max(2_000_000_000).optional() }),
    reveals,
    class: 'workloads',
    kinds: workloads,
    wanted: ({ revision, ...args }) => ({
      act: 'rollback',
      ...objectOf(args),
      args: revision === undefined ? {} : { revision },
    }),
  }),
  simple('delete_pod', 'Delete pod', 'Deletes one pod; its controller makes it anew.', ['Pod'], 'deletion'),
  ...(
    [
      ['cordon', 'Cordon', 'Keeps new pods off a node.'],
      ['uncordon', 'Uncordon', 'Lets pods onto a node again.'],
      ['drain', 'Drain', 'Evicts the pods of a node, within disruption budgets.'],
    ] as const
  ).map(([act, title, description]) =>
    actingTool({
      name: act,
      title,
      description,
      args: node,
      reveals,
      class: 'workloads',
      kinds: ['Node'],
      wanted: (args) => ({ act, kind: 'Node', name: args.name, namespace: undefined, args: {} }),
    }),
  ),
  simple('run_cron_job', 'Run now', 'Starts a Job of a CronJob now.', ['CronJob'], 'agents'),
  simple('suspend', 'Suspend', 'Suspends a CronJob or a GitOps delivery.', [
    'CronJob',
    'Job',
    'Kustomization',
    'HelmRelease',
  ]),
  simple('resume', 'Resume', 'Resumes what is suspended.', [
    'CronJob',
    'Job',
    'Kustomization',
    'HelmRelease',
  ]),
  actingTool({
    name: 'set_image',
    title: 'Set image',
    description: 'Sets the image of a container of a workload.',
    args: z.strictObject({
      ...object,
      image: z.string().trim().min(1).max(1000),
      container: name.optional().describe('Needed where the pod has several.'),
    }),
    reveals,
    class: 'workloads',
    kinds: workloads,
    wanted: ({ image, container, ...args }) => ({
      act: 'set_image',
      ...objectOf(args),
      args: { image, ...(container === undefined ? {} : { container }) },
    }),
  }),
  actingTool({
    name: 'set_env',
    title: 'Set variable',
    description: 'Sets an environment variable of a container of a workload. Not for credentials.',
    args: z.strictObject({
      ...object,
      variable: z
        .string()
        .regex(/^[-._a-zA-Z][-._a-zA-Z0-9]*$/)
        .max(253),
      value: z.string().max(32_768),
      container: name.optional().describe('Needed where the pod has several.'),
    }),
    reveals,
    class: 'workloads',
    kinds: workloads,
    wanted: ({ variable, value, container, ...args }) => ({
      act: 'set_env',
      ...objectOf(args),
      args: { name: variable, value, ...(container === undefined ? {} : { container }) },
    }),
  }),
  ...(
    [
      ['arm', 'Arm agent', 'Arms an agent: its schedule runs again.', 'resume'],
      ['disarm', 'Disarm agent', 'Disarms an agent: its schedule is suspended.', 'suspend'],
    ] as const
  ).map(([tool, title, description, act]) =>
    actingTool({
      name: tool,
      title,
      description,
      args: z.strictObject({ agent: name }),
      reveals,
      class: 'agents',
      kinds: ['CronJob'],
      wanted: ({ agent }) => ({ act, kind: 'CronJob', name: agent, namespace: undefined, args: {} }),
    }),
  ),
];
