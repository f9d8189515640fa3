import { type ActDefinition, type ActId, type ActObject, actArgs } from '#shared/api/acts.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { AccessRequest } from '../../sources/cluster/index.ts';
import { planApply } from './plans/apply.ts';
import { planResume, planRunCronJob, planSuspend } from './plans/jobs.ts';
import { planCordon, planDrain, planUncordon } from './plans/nodes.ts';
import { planDeletePod } from './plans/pods.ts';
import { planRestart } from './plans/restart.ts';
import { planRollback } from './plans/rollback.ts';
import { planScale } from './plans/scale.ts';
import { planSetEnv, planSetImage } from './plans/set-container.ts';
import type { ActContext, Plan } from './types.ts';

/** A right on objects of the kind that is acted on, or of the kind that is named; `everywhere`: in all namespaces. */
export type Right = Pick<AccessRequest, 'verb'> &
  Partial<Pick<AccessRequest, 'subresource' | 'group' | 'resource'>> & { readonly everywhere?: true };

type Definition = ActDefinition & {
  /** Rights it needs beside the first, which `right` names. */
  readonly rights: readonly Right[];
  plan(context: ActContext, args: unknown): Promise<Plan>;
};

const rollouts = ['Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps'];
const suspendable = [
  'CronJob.batch',
  'Job.batch',
  'Deployment.apps',
  'Kustomization.kustomize.toolkit.fluxcd.io',
  'HelmRelease.helm.toolkit.fluxcd.io',
];
const patch = [{ verb: 'patch' }] as const;

const all: readonly Definition[] = [
  {
    id: 'restart',
    title: 'Restart',
    class: 'workloads',
    kinds: rollouts,
    right: 'patch',
    touches: 'An annotation of the pod template; its controller replaces all pods.',
    undone: 'Nothing to undo: the pods run what they ran before.',
    rights: patch,
    plan: (context, args) => planRestart(context, actArgs.restart.parse(args)),
  },
  {
    id: 'scale',
    title: 'Scale',
    class: 'workloads',
    kinds: ['Deployment.apps', 'StatefulSet.apps', 'ReplicaSet.apps', '*'],
    right: 'update of the scale subresource',
    touches: 'spec.replicas; its controller starts or stops pods.',
    undone: 'By scaling back.',
    rights: [{ verb: 'update', subresource: 'scale' }],
    plan: (context, args) => planScale(context, actArgs.scale.parse(args)),
  },
  {
    id: 'rollback',
    title: 'Roll back',
    class: 'workloads',
    kinds: rollouts,
    right: 'patch',
    touches: 'The pod template, which becomes that of an earlier revision.',
    undone: 'By rolling forward to the revision before.',
    rights: patch,
    plan: (context, args) => planRollback(context, actArgs.rollback.parse(args)),
  },
  {
    id: 'set_image',
    title: 'Set image',
    class: 'workloads',
    kinds: [...rollouts, 'CronJob.batch', '*'],
    right: 'patch',
    touches: 'The image of one container, or spec.image of a custom resource.',
    undone: 'By setting the image of before.',
    rights: patch,
    plan: (context, args) => planSetImage(context, actArgs.set_image.parse(args)),
  },
  {
    id: 'set_env',
    title: 'Set variable',
    class: 'workloads',
    kinds: [...rollouts, 'CronJob.batch', '*'],
    right: 'patch',
    touches: 'One environment variable of a container or a custom resource.',
    undone: 'By setting the value of before, unless it is a credential or a reference.',
    rights: patch,
    plan: (context, args) => planSetEnv(context, actArgs.set_env.parse(args)),
  },
  {
    id: 'run_cron_job',
    title: 'Run now',
    class: 'workloads',
    kinds: ['CronJob.batch'],
    right: 'create of jobs',
    touches: 'Makes one Job of its template.',
    undone: 'Not: what the Job did stays.',
    rights: [{ verb: 'create', group: 'batch', resource: 'jobs' }],
    plan: (context, args) => planRunCronJob(context, actArgs.run_cron_job.parse(args)),
  },
  {
    id: 'suspend',
    title: 'Suspend',
    class: 'workloads',
    kinds: suspendable,
    right: 'patch',
    touches: 'spec.suspend, or spec.paused of a Deployment.',
    undone: 'By resuming it.',
    rights: patch,
    plan: (context, args) => planSuspend(context, actArgs.suspend.parse(args)),
  },
  {
    id: 'resume',
    title: 'Resume',
    class: 'workloads',
    kinds: suspendable,
    right: 'patch',
    touches: 'spec.suspend, or spec.paused of a Deployment.',
    undone: 'By suspending it.',
    rights: patch,
    plan: (context, args) => planResume(context, actArgs.resume.parse(args)),
  },
  {
    id: 'delete_pod',
    title: 'Delete pod',
    class: 'workloads',
    kinds: ['Pod'],
    right: 'delete',
    touches: 'One pod; its controller makes a new one. Without a controller it counts as a deletion.',
    undone: 'Not.',
    rights: [{ verb: 'delete' }],
    plan: (context, args) => planDeletePod(context, actArgs.delete_pod.parse(args)),
  },
  {
    id: 'cordon',
    title: 'Cordon',
    class: 'workloads',
    kinds: ['Node'],
    right: 'patch',
    touches: 'spec.unschedulable of the node.',
    undone: 'By uncordoning it.',
    rights: patch,
    plan: (context, args) => planCordon(context, actArgs.cordon.parse(args)),
  },
  {
    id: 'uncordon',
    title: 'Uncordon',
    class: 'workloads',
    kinds: ['Node'],
    right: 'patch',
    touches: 'spec.unschedulable of the node.',
    undone: 'By cordoning it.',
    rights: patch,
    plan: (context, args) => planUncordon(context, actArgs.uncordon.parse(args)),
  },
  {
    id: 'drain',
    title: 'Drain',
    class: 'workloads',
    kinds: ['Node'],
    right: 'patch, and create of evictions',
    touches: 'Cordons the node and evicts its pods, as disruption budgets allow; those of DaemonSets stay.',
    undone: 'By uncordoning it; pods do not move back by themselves.',
    rights: [
      { verb: 'patch' },
      { verb: 'create', group: '', resource: 'pods', subresource: 'eviction', everywhere: true },
    ],
    plan: (context, args) => planDrain(context, actArgs.drain.parse(args)),
  },
  {
    id: 'apply',
    title: 'Edit YAML',
    class: 'workloads',
    kinds: ['*'],
    right: 'update',
    touches: 'The whole object but its status.',
    undone: 'By applying it as it was, unless a hidden value changed.',
    rights: [{ verb: 'update' }],
    plan: (context, args) => planApply(context, actArgs.apply.parse(args)),
  },
];

/** Every act, in the order in which they are offered. */
export const definitions: readonly ActDefinition[] = all.map(
  ({ id, title, class: name, kinds, right, touches, undone }) => ({
    id,
    title,
    class: name,
    kinds,
    right,
    touches,
    undone,
  }),
);

/** Returns the definition of an act. Throws `BadInput` for one that this console cannot do. */
export function definitionOf(id: ActId): Definition {
  const found = all.find((each) => each.id === id);
  if (found === undefined) throw new ConsoleError('BadInput', `This console knows no act "${id}".`);
  return found;
}

/** Returns whether an act is for objects of a kind. */
export function takesKind(
  { kinds }: Pick<ActDefinition, 'kinds'>,
  { group, kind }: Pick<ActObject, 'group' | 'kind'>,
) {
  return kinds.includes('*') || kinds.includes(group === '' ? kind : `${kind}.${group}`);
}

/** Returns the arguments of an act as its schema reads them. Throws `BadInput`. */
export function argsOf(id: ActId, args: unknown): unknown {
  const parsed = actArgs[id].safeParse(args ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new ConsoleError(
    'BadInput',
    `The arguments of "${id}" are not valid${path === '' ? '' : ` at "${path}"`}: ${issue?.message ?? 'unknown'}.`,
  );
}
