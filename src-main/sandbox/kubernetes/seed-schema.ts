import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** A length of time such as `95s`, `26m`, `3h` or `2d`, in ms. */
export const age = z
  .string()
  .regex(/^\d+[smhd]$/)
  .transform((text) => Number(text.slice(0, -1)) * (units[text.at(-1) ?? 's'] ?? 1000));
const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const lines = z.array(z.string());

const problem = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('crash_loop'),
    restarts: z.number(),
    exit_code: z.number(),
    log: lines,
  }),
  z.strictObject({ kind: z.literal('image_pull') }),
  z.strictObject({ kind: z.literal('unschedulable'), message: z.string() }),
  z.strictObject({ kind: z.literal('oom'), restarts: z.number(), log: lines, previous: lines }),
  z.strictObject({ kind: z.literal('rollout_stuck'), message: z.string(), log: lines }),
  z.strictObject({ kind: z.literal('over_quota') }),
  /** Its backend is really started with what its pod says, and ends as it ends; so many restarts before the sandbox was there. */
  z.strictObject({ kind: z.literal('does_not_start'), restarts: z.number() }),
]);

const workload = z.strictObject({
  namespace: z.string(),
  name: z.string(),
  kind: z.enum(['Deployment', 'StatefulSet', 'DaemonSet']).default('Deployment'),
  /** Repository of the code host, or the whole name of an image from elsewhere. */
  image: z.string().optional(),
  literal: z.string().optional(),
  behind: z.number().default(0),
  missing_tag: z.boolean().default(false),
  replicas: z.number().default(1),
  /** Replicas that are missing. */
  short: z.number().default(0),
  port: z.number().optional(),
  cpu: z.string(),
  memory: z.string(),
  limit: z.string().optional(),
  gpus: z.number().optional(),
  node: z.string().optional(),
  tenant: z.string().optional(),
  tier: z.string().optional(),
  tracked: z.boolean().default(false),
  age,
  args: lines.optional(),
  env: z.record(z.string(), z.string()).default({}),
  /** A Secret that is not there. */
  secret: z.strictObject({ name: z.string(), key: z.string(), variable: z.string() }).optional(),
  /** Custom resource that made it, `Kind/name`. */
  owner: z.string().optional(),
  /** The program that actually listens behind its port. */
  backend: z.enum(['cockpit', 'runner', 'campaign', 'studio', 'vllm', 'llama', 'tgi']).optional(),
  /** Namespace of the mesh CA that signed the leaf its running backend was given; its own namespace's by default. */
  leaf_of: z.string().optional(),
  /** Somebody changed it by hand. */
  drift: z.boolean().default(false),
  problem: problem.optional(),
});
export type WorkloadSeed = z.infer<typeof workload>;

const agent = z.strictObject({
  name: z.string(),
  agent: z.string(),
  kind: z.string(),
  schedule: z.string(),
  took: age,
  image: z.string(),
  /** Repository where it keeps its issue. */
  repository: z.string().optional(),
  /** Newest first. */
  runs: z.array(z.enum(['complete', 'failed'])),
  suspended: z.boolean().default(false),
  log: lines.optional(),
});
export type AgentSeed = z.infer<typeof agent>;

const meshCa = z.strictObject({
  namespace: z.string(),
  subject: z.string(),
  /** Namespace of the CA that signed it. */
  issuer: z.string().optional(),
  ends: age.optional(),
  ended: age.optional(),
  wrong_key: z.boolean().default(false),
});
export type MeshCaSeed = z.infer<typeof meshCa>;

const controlPlane = z.strictObject({
  namespace: z.string(),
  kind: z.enum(['CockpitControlPlane', 'CampaignControlPlane', 'ClientInstance']),
  name: z.string(),
  image: z.string(),
  behind: z.number().default(0),
  replicas: z.number(),
  tenant: z.string().optional(),
  runner: z.boolean().default(false),
  probes: z.record(z.string(), z.union([z.string(), z.number()])),
  env: z.record(z.string(), z.string()).default({}),
  phase: z.string(),
  users: z.array(z.string()).default([]),
});
export type ControlPlaneSeed = z.infer<typeof controlPlane>;

const seed = z.strictObject({
  nodes: z.array(
    z.strictObject({
      name: z.string(),
      roles: z.array(z.string()).default([]),
      cpu: z.number(),
      memory: z.string(),
      gpus: z.number().optional(),
      age,
      memory_pressure: age.optional(),
      dedicated: z.string().optional(),
    }),
  ),
  namespaces: z.array(
    z.strictObject({
      name: z.string(),
      tenant: z.string().optional(),
      initiative: z.string().optional(),
      quota: z.record(z.string(), z.string()).optional(),
    }),
  ),
  workloads: z.array(workload),
  agents: z.array(agent),
  services: z.array(
    z.strictObject({
      namespace: z.string(),
      name: z.string(),
      selector: z.record(z.string(), z.string()),
      port: z.number(),
      target: z.number(),
    }),
  ),
  ingresses: z.array(
    z.strictObject({
      namespace: z.string(),
      name: z.string(),
      host: z.string(),
      paths: z.record(z.string(), z.string()),
    }),
  ),
  gateway: z.strictObject({ namespace: z.string(), name: z.string(), hostname: z.string() }),
  routes: z.array(
    z.strictObject({
      namespace: z.string(),
      name: z.string(),
      host: z.string(),
      path: z.string(),
      service: z.string(),
      port: z.number(),
    }),
  ),
  control_planes: z.array(controlPlane),
  applications: z.array(
    z.strictObject({
      name: z.string(),
      path: z.string(),
      namespace: z.string(),
      sync: z.string(),
      health: z.string(),
      age,
      message: z.string().optional(),
    }),
  ),
  mesh_cas: z.array(meshCa),
  model_cards: z.record(z.string(), z.looseObject({ title: z.string() })),
});

/** The estate of resources/sandbox/cluster.yaml; ages in ms. */
export type ClusterSeed = z.infer<typeof seed>;

/** Throws when the seed is missing or not as it should be. */
export function readClusterSeed(): ClusterSeed {
  return seed.parse(parse(readFileSync(resourceFile('sandbox', 'cluster.yaml'), 'utf8')));
}

/** A file of `resources`, above this one in the source tree, in the build and in the packaged program alike. */
export function resourceFile(...path: readonly string[]): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const file = join(folder, 'resources', ...path);
    if (existsSync(file)) return file;
    if (dirname(folder) === folder) throw new Error(`${join('resources', ...path)} is missing`);
  }
}
