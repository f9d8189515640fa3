import { z } from 'zod';
import { labelName, objectName } from '../platform/kubernetes-names.ts';
import { healthState, quantities } from './cluster.ts';
import { defineRoute } from './route.ts';
import { runState } from './runs.ts';
import { clusterReadingFields, targetId, targetQuery } from './targets.ts';

const time = z.iso.datetime();
const count = z.number().int().nonnegative();

/** One agent of the fleet: a CronJob or Deployment labelled as one. */
export const agent = z.object({
  name: z.string(),
  /** Value of the label `platform.dev/agent-kind`. */
  agent_kind: z.string().optional(),
  workload: z.object({ kind: z.enum(['CronJob', 'Deployment']), name: z.string(), namespace: z.string() }),
  /** Cron expression, with its time zone when it has one. CronJobs only. */
  schedule: z.string().optional(),
  time_zone: z.string().optional(),
  enabled: z.boolean(),
  /** Absent when it never ran, as far as was read. */
  last_run: z
    .object({
      state: runState,
      started: time,
      took_seconds: z.number().optional(),
      detail: z.string().optional(),
    })
    .optional(),
  /** Next run; absent when it is not enabled or has no schedule. */
  next_run: time.optional(),
  state: healthState,
  reason: z.string().optional(),
  /** Health its app last reported. */
  reported: z.object({ app: z.string(), state: z.string(), at: time }).optional(),
});
export type Agent = z.infer<typeof agent>;

/** One inference tier, as far as its workloads say. */
export const tier = z.object({
  name: z.string(),
  state: healthState,
  reason: z.string().optional(),
  models: z.array(z.string()),
  replicas_ready: count,
  replicas_desired: count,
});
export type Tier = z.infer<typeof tier>;

export const agentSchedule = z.object({
  name: z.string(),
  namespace: z.string(),
  agent: z.string(),
  schedule: z.string(),
  time_zone: z.string().optional(),
  enabled: z.boolean(),
  /** Whether this caller may arm and disarm it here and now. */
  editable: z.boolean(),
  /** Reason it is not editable, a sentence. */
  not_editable_because: z.string().optional(),
  last_run: time.optional(),
  next_run: time.optional(),
});
export type AgentSchedule = z.infer<typeof agentSchedule>;

/** An inference workload as deployed. */
export const inferenceWorkload = z.object({
  kind: z.string(),
  name: z.string(),
  namespace: z.string(),
  tier: z.string(),
  /** `vllm`, `llama.cpp`, `tgi`, `ollama`, or absent when its arguments do not show it. */
  engine: z.enum(['vllm', 'llama.cpp', 'tgi', 'ollama']).optional(),
  model: z.string().optional(),
  quantisation: z.string().optional(),
  /** Tokens. */
  context_length: count.optional(),
  gpus: count.optional(),
  image: z.string(),
  replicas_ready: count,
  replicas_desired: count,
  requests: quantities,
  limits: quantities,
  /** Newest first. */
  out_of_memory: z.array(
    z.object({ pod: z.string(), container: z.string().optional(), at: time.optional(), detail: z.string() }),
  ),
  state: healthState,
  reason: z.string().optional(),
});
export type InferenceWorkload = z.infer<typeof inferenceWorkload>;

export const modelCard = z.object({
  name: z.string(),
  title: z.string(),
  summary: z.string().optional(),
  family: z.string().optional(),
  licence: z.string().optional(),
  /** Billions. */
  parameters_billion: z.number().optional(),
  context_length: count.optional(),
  tiers: z.array(z.string()),
  uses: z.array(z.string()),
  limits: z.array(z.string()),
  /** Source of the card: `ConfigMap <namespace>/<name>` or `resources`. */
  found_in: z.string(),
  /** The tiers it runs on now; absent when the cluster was not read. */
  live: z
    .array(
      z.object({
        tier: z.string(),
        workload: z.string(),
        namespace: z.string(),
        replicas_ready: count,
        replicas_desired: count,
      }),
    )
    .optional(),
  /** Nothing serves it: an entry of the catalogue, and no model of this platform. False while not all workloads were read. */
  catalogue: z.boolean(),
  verdict: healthState,
  reason: z.string().optional(),
  /**
   * Since the engines started; absent when their metrics were not read. A workload that several cards describe counts on one of
   * them: a card of the platform's own before one of the catalogue.
   */
  tokens: z.object({ prompt: count, generated: count }).optional(),
  /** Title of the card on which tokens of its workloads are counted instead. */
  tokens_on: z.string().optional(),
  /** Compute units by tenant; absent when the engines' metrics do not distinguish tenants. */
  tenant_units: z.array(z.object({ tenant: z.string(), units: z.number() })).optional(),
});
export type ModelCard = z.infer<typeof modelCard>;

/** Compute requested by the pods of one initiative or tenant. */
export const allocation = z.object({
  /** Initiative or tenant; absent for what carries neither label. */
  name: z.string().optional(),
  cpu_cores: z.number(),
  memory_bytes: z.number(),
  gpus: z.number(),
  pods: count,
  /** Requests times the age of the pods that run now. */
  cpu_core_hours: z.number(),
  memory_gib_hours: z.number(),
  /** Share of the allocatable CPU of all nodes. */
  cpu_share: z.number().optional(),
  /**
   * What the pods cost, by currency, in its smallest unit: each has the largest of its shares of its node's CPU, memory and
   * GPUs, at what the node costs now. Pods on nodes without a price are not in it; absent where no node has one.
   */
  costs: z
    .array(
      z.object({
        currency: z.string(),
        per_hour_minor: z.number(),
        /** Over the age of the pods that run now. */
        so_far_minor: z.number(),
      }),
    )
    .optional(),
});
export type Allocation = z.infer<typeof allocation>;

export const fleetRoutes = [
  defineRoute({
    id: 'fleet.agents',
    method: 'GET',
    path: '/api/agents',
    access: { kind: 'read' },
    summary: 'Agent roster with schedule, last run and health, and the inference tiers.',
    query: targetQuery,
    answer: z.object({ items: z.array(agent), tiers: z.array(tier), ...clusterReadingFields }),
  }),
  defineRoute({
    id: 'fleet.schedules',
    method: 'GET',
    path: '/api/agent-schedules',
    access: { kind: 'read' },
    summary: 'Cadence and enablement of the fleet, and what the caller may change.',
    query: targetQuery,
    answer: z.object({ items: z.array(agentSchedule), ...clusterReadingFields }),
  }),
  defineRoute({
    id: 'fleet.setSchedule',
    method: 'PUT',
    path: '/api/agent-schedules/{name}',
    access: {
      kind: 'write',
      allowlist: 'CONSOLE_AGENT_ADMINS',
      action: 'agents.schedule',
      target: 'params.name',
    },
    summary:
      "Arms or disarms an agent: sets its CronJob's `suspend`. 409 when the live object changed meanwhile.",
    params: z.object({ name: objectName }),
    query: z.object({ target: targetId.optional(), namespace: labelName.optional() }),
    body: z.object({
      enabled: z.boolean(),
      /** State the caller saw; 409 when it has changed since. */
      was_enabled: z.boolean().optional(),
    }),
    answer: agentSchedule,
  }),
  defineRoute({
    id: 'fleet.doctor',
    method: 'GET',
    path: '/api/doctor',
    access: { kind: 'read' },
    summary: 'The ops doctor: its CronJob, its last runs and its tracking issue.',
    query: targetQuery,
    answer: z.object({
      state: healthState,
      reason: z.string().optional(),
      workload: z.object({ name: z.string(), namespace: z.string() }).optional(),
      schedule: z.string().optional(),
      enabled: z.boolean().optional(),
      next_run: time.optional(),
      /** Newest first. */
      last_runs: z.array(
        z.object({
          name: z.string(),
          state: runState,
          started: time,
          took_seconds: z.number().optional(),
          detail: z.string().optional(),
        }),
      ),
      tracking_issue: z
        .object({
          number: count,
          title: z.string(),
          url: z.url({ protocol: /^https?$/ }),
          state: z.string(),
          updated_at: time,
          repo: z.string(),
        })
        .optional(),
      ...clusterReadingFields,
    }),
  }),
  defineRoute({
    id: 'fleet.inference',
    method: 'GET',
    path: '/api/inference',
    access: { kind: 'read' },
    summary: 'The inference plane as deployed: model, quantisation, context, engine, out-of-memory history.',
    query: targetQuery,
    answer: z.object({ items: z.array(inferenceWorkload), tiers: z.array(tier), ...clusterReadingFields }),
  }),
  defineRoute({
    id: 'fleet.models',
    method: 'GET',
    path: '/api/models',
    access: { kind: 'read' },
    summary: 'Model cards joined with live tier state, a verdict, token use and tenant compute units.',
    query: targetQuery,
    answer: z.object({ items: z.array(modelCard), ...clusterReadingFields }),
  }),
  defineRoute({
    id: 'fleet.finops',
    method: 'GET',
    path: '/api/finops',
    access: { kind: 'read' },
    summary:
      'Allocated compute by initiative and by tenant, what it costs on nodes that assets name, and the share nobody asked for.',
    query: targetQuery,
    answer: z.object({
      by_initiative: z.array(allocation),
      by_tenant: z.array(allocation),
      /** Allocatable of all nodes; absent when nodes were not read. */
      allocatable: quantities.optional(),
      /** Share of the allocatable CPU and memory that no pod requests. */
      unallocated: z.object({ cpu_share: z.number(), memory_share: z.number() }).optional(),
      /** Nodes whose hours have a price, because an asset of `platform.v1.CapexService` names them, and those without. */
      pricing: z
        .object({ priced_nodes: z.array(z.string()), unpriced_nodes: z.array(z.string()) })
        .optional(),
      ...clusterReadingFields,
    }),
  }),
] as const;
