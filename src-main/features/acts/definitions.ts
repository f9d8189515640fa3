import { type ActDefinition, type ActId, type ActObject, actArgs } from '#shared/api/acts.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { AccessRequest } from '../../sources/cluster/index.ts';
import { planRestart } from './plans/restart.ts';
import { planScale } from './plans/scale.ts';
import type { ActContext, Plan } from './types.ts';

/** A right on objects of the kind that is acted on. */
export type Right = Pick<AccessRequest, 'verb'> & Partial<Pick<AccessRequest, 'subresource'>>;

type Definition = ActDefinition & {
  /** Rights it needs beside the first, which `right` names. */
  readonly rights: readonly Right[];
  plan(context: ActContext, args: unknown): Promise<Plan>;
};

const rollouts = ['Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps'];

const all: readonly Definition[] = [
  {
    id: 'restart',
    title: 'Restart',
    class: 'workloads',
    kinds: rollouts,
    right: 'patch',
    touches: 'An annotation of the pod template; its controller replaces all pods.',
    undone: 'Nothing to undo: the pods run what they ran before.',
    rights: [{ verb: 'patch' }],
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
