import { z } from 'zod';
import { labelName, segmentName } from '../platform/kubernetes-names.ts';
import { actClass } from './guardrails.ts';
import { defineRoute } from './route.ts';
import { targetId } from './targets.ts';

/** What can be done to one object of a live cluster. */
export const actId = z.enum([
  'restart',
  'scale',
  'rollback',
  'delete_pod',
  'cordon',
  'uncordon',
  'drain',
  'run_cron_job',
  'suspend',
  'resume',
  'set_image',
  'set_env',
  'apply',
]);
export type ActId = z.infer<typeof actId>;

const name = z.string().trim().min(1).max(253);
const none = z.strictObject({});

/** Arguments of each act. */
export const actArgs = {
  restart: none,
  scale: z.strictObject({ replicas: z.number().int().min(0).max(10_000) }),
  /** `revision` as the workload's ReplicaSets or ControllerRevisions number it. */
  rollback: z.strictObject({ revision: z.number().int().min(1).max(2_000_000_000) }),
  delete_pod: none,
  cordon: none,
  uncordon: none,
  drain: z.strictObject({
    /** Also evicts pods that no controller makes again. */
    bare_pods: z.boolean().default(false),
    /** Also evicts pods whose emptyDir volumes are lost. */
    empty_dir: z.boolean().default(false),
  }),
  run_cron_job: none,
  suspend: none,
  resume: none,
  /** Without a container: the only one, or `spec.image` of a custom resource. */
  set_image: z.strictObject({ container: name.optional(), image: z.string().trim().min(1).max(1000) }),
  /** Without a value: removes the variable. */
  set_env: z.strictObject({
    container: name.optional(),
    name: z
      .string()
      .regex(/^[-._a-zA-Z][-._a-zA-Z0-9]*$/)
      .max(253),
    value: z.string().max(32_768).optional(),
  }),
  apply: z.strictObject({ yaml: z.string().min(1).max(1_000_000) }),
} as const satisfies Readonly<Record<ActId, z.ZodType>>;

/** Names one object of any kind. */
export const actObject = z.strictObject({
  /** Empty for the core group. */
  group: z.string().max(253),
  version: z.string().min(1).max(63),
  kind: z.string().min(1).max(63),
  namespace: labelName.optional(),
  name: segmentName,
});
export type ActObject = z.infer<typeof actObject>;

const actRequestFields = { target: targetId, act: actId, object: actObject, args: z.unknown() };

/** An act as it can be asked for again, such as what undoes another. */
export const actAgain = z.object({ act: actId, object: actObject, args: z.unknown(), sentence: z.string() });
export type ActAgain = z.infer<typeof actAgain>;

/** Who else sets what an act changes. */
export const actOwner = z.object({
  kind: z.string(),
  name: z.string(),
  namespace: z.string().optional(),
  /** Whether it will set the field back, may do so, or only is told. */
  effect: z.enum(['undoes', 'may_undo', 'owns']),
  sentence: z.string(),
  /** Where in the console it is shown, such as `?tab=gitops`. */
  href: z.string().optional(),
});
export type ActOwner = z.infer<typeof actOwner>;

/** One field that changes; values as JSON, credentials hidden. */
export const actChange = z.object({
  path: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
});
export type ActChange = z.infer<typeof actChange>;

export const actPreview = z.object({
  /** SHA-256 over target, act, object, args, and the uid and resourceVersion that were judged; `perform` takes it. */
  digest: z.string(),
  /** What will be done, one sentence. */
  sentence: z.string(),
  class: actClass,
  /** Whether it could be carried out now; otherwise `reason` says why not. */
  allowed: z.boolean(),
  reason: z.string().optional(),
  resource_version: z.string(),
  /** `server`: as its dry run answered; `console`: computed here, because the dry run was not sent or not accepted. */
  judged_by: z.enum(['server', 'console']),
  diff: z.array(actChange),
  owners: z.array(actOwner),
  /** What happens to pods, one sentence each. */
  effects: z.array(z.string()),
  /** Of the API server, and of disruption budgets, one sentence each. */
  warnings: z.array(z.string()),
  undo: actAgain.optional(),
  /** The name of the target must be typed. */
  protected: z.boolean(),
});
export type ActPreview = z.infer<typeof actPreview>;

/** `refused`: nothing was sent; `failed`: not carried out, or without effect; `unknown`: it could not be found out. */
export const actState = z.enum(['done', 'failed', 'refused', 'unknown']);
export type ActState = z.infer<typeof actState>;

export const actOutcome = z.object({
  state: actState,
  sentence: z.string(),
  act_id: z.string(),
  undo: actAgain.optional(),
});
export type ActOutcome = z.infer<typeof actOutcome>;

export const actDefinition = z.object({
  id: actId,
  /** Verb of the button. */
  title: z.string(),
  class: actClass,
  /** Kinds it can be done to, as `Deployment.apps`; `*` for any. */
  kinds: z.array(z.string()),
  /** The right it needs, as Kubernetes names it. */
  right: z.string(),
  /** What it touches, and how it is undone. */
  touches: z.string(),
  undone: z.string(),
});
export type ActDefinition = z.infer<typeof actDefinition>;

export const actHistoryItem = z.object({
  act_id: z.string(),
  target: z.string(),
  act: actId,
  object: actObject,
  sentence: z.string(),
  actor: z.string(),
  /** `open`: under way. */
  state: z.enum(['open', ...actState.options]),
  /** How far it got, while it is open; then the outcome. */
  progress: z.string(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().optional(),
  undo: actAgain.optional(),
});
export type ActHistoryItem = z.infer<typeof actHistoryItem>;

/** One act on an object, as it is offered. */
const offeredAct = z.object({
  act: actId,
  title: z.string(),
  allowed: z.boolean(),
  reason: z.string().optional(),
});

export const actableObject = z.object({
  target: z.string(),
  acts: z.array(offeredAct),
  /** Absent for kinds without it. */
  replicas: z.number().int().optional(),
  containers: z
    .array(
      z.object({
        name: z.string(),
        image: z.string(),
        env: z.array(z.object({ name: z.string(), value: z.string().optional() })),
      }),
    )
    .optional(),
  revisions: z
    .array(
      z.object({
        revision: z.number().int(),
        images: z.array(z.string()),
        created_at: z.string().optional(),
        current: z.boolean(),
      }),
    )
    .optional(),
  /** For editing; absent for a Secret, whose values are not shown. */
  yaml: z.string().optional(),
});
export type ActableObject = z.infer<typeof actableObject>;

export const actRoutes = [
  defineRoute({
    id: 'acts.list',
    method: 'GET',
    path: '/api/acts',
    access: { kind: 'read' },
    summary: 'Acts on objects of live clusters: the right each needs, what it touches and how it is undone.',
    answer: z.object({ items: z.array(actDefinition) }),
  }),
  defineRoute({
    id: 'acts.offer',
    method: 'GET',
    path: '/api/acts/object',
    access: { kind: 'read' },
    summary: 'Acts that can be done to one object now, with the values they change.',
    query: z.object({
      target: targetId.optional(),
      group: z.string().max(253).default(''),
      version: z.string().min(1).max(63),
      kind: z.string().min(1).max(63),
      namespace: name.optional(),
      name,
    }),
    answer: actableObject,
  }),
  defineRoute({
    id: 'acts.preview',
    method: 'POST',
    path: '/api/acts/preview',
    access: { kind: 'read', allowlist: 'CONSOLE_CLUSTER_ADMINS' },
    summary:
      'What an act would change, by a dry run of the API server: the diff, who else sets it, effects and warnings. Changes nothing.',
    body: z.strictObject(actRequestFields),
    answer: actPreview,
  }),
  defineRoute({
    id: 'acts.perform',
    method: 'POST',
    path: '/api/acts/perform',
    access: {
      kind: 'write',
      allowlist: 'CONSOLE_CLUSTER_ADMINS',
      action: 'acts.perform',
      target: 'body.target',
      recordsItself: true,
    },
    summary:
      'Carries an act out, once for each key, on the object as it was previewed; answers when it took effect, or why it did not.',
    body: z.strictObject({
      ...actRequestFields,
      /** Of the preview. */
      digest: z.string().regex(/^[0-9a-f]{64}$/),
      key: z.string().min(16).max(200),
      /** The name of the target, for a protected one. */
      confirm: z.string().max(300).optional(),
    }),
    answer: actOutcome,
  }),
  defineRoute({
    id: 'acts.history',
    method: 'GET',
    path: '/api/acts/history',
    access: { kind: 'read', allowlist: 'CONSOLE_CLUSTER_ADMINS' },
    summary: 'Acts that were carried out and those under way, newest first.',
    query: z.object({
      target: targetId.optional(),
      /** Only the act of this key. */
      key: z.string().min(16).max(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answer: z.object({ items: z.array(actHistoryItem) }),
  }),
] as const;
