import { z } from 'zod';
import { readingFields, repositoryName, webLink } from './reading.ts';
import { defineRoute } from './route.ts';
import { clusterReadingFields, targetQuery } from './targets.ts';

/** One thing that is delivered: an application of the GitOps controller, or a workflow on a default branch. */
export const delivery = z.object({
  name: z.string(),
  repo: z.string().optional(),
  branch: z.string().optional(),
  /**
   * `synced`: the newest revision is delivered; `progressing`: it is on its way; `out_of_sync`: it is not, and nothing runs;
   * `not_read`: what delivers it does not say.
   */
  sync: z.enum(['synced', 'progressing', 'out_of_sync', 'not_read']),
  health: z.enum(['healthy', 'progressing', 'degraded', 'suspended', 'missing', 'not_read']),
  /** Reason, as text. */
  detail: z.string(),
  /** Revision last delivered; absent when nothing was, among the runs that were read. */
  revision: z.string().optional(),
  /** Desired revision: the newest there is. */
  target_revision: z.string(),
  last_transition: z.iso.datetime(),
  url: webLink.optional(),
});
export type Delivery = z.infer<typeof delivery>;

/** The way of a commit to a running pod, in order. */
export const lineageSteps = ['merged', 'agents', 'built', 'registry', 'rolled', 'running'] as const;
export const stepState = z.enum(['done', 'moving', 'failed', 'not_reached', 'not_read']);
export type StepState = z.infer<typeof stepState>;

const stepFacts = {
  state: stepState,
  at: z.iso.datetime().optional(),
  /** Reference for the step: a commit, a run's number, a tag, a digest. */
  ref: z.string().optional(),
  url: webLink.optional(),
  /** One clause for the person; of what was not read, why. */
  detail: z.string(),
};

export const lineageStep = z.object({
  step: z.enum(lineageSteps),
  /** Absent when it was not read. */
  done: z.boolean().optional(),
  ...stepFacts,
  /** Components of the step, such as each review or each workload; absent where there is only one. */
  parts: z.array(z.object({ name: z.string(), ...stepFacts })).optional(),
});
export type LineageStep = z.infer<typeof lineageStep>;

export const lineageImage = z.object({
  /** Without tag, such as `registry.example/northgate/harbour`. */
  image: z.string(),
  repo: z.string(),
  tag: z.string().optional(),
  digest: z.string().optional(),
  /** The commit whose way this is. */
  sha: z.string(),
  title: z.string(),
  author: z.string().optional(),
  steps: z.array(lineageStep).length(lineageSteps.length),
  /** Current location, in one clause. */
  where: z.string(),
});
export type LineageImage = z.infer<typeof lineageImage>;

/** An indicator's value and how many observations are behind it. */
const sample = z.number().int().nonnegative();

export const devexDay = z.object({
  /** UTC day, `2026-11-21`. */
  day: z.string(),
  deploys: z.number().int(),
  failed_deploys: z.number().int(),
  runs: z.number().int(),
  failed_runs: z.number().int(),
  lead_time_seconds: z.number().optional(),
});
export type DevexDay = z.infer<typeof devexDay>;

/** Minimum number of observations for an indicator; fewer are too few. */
export const smallestSample = 5;

export const deliveryRoutes = [
  defineRoute({
    id: 'delivery.gitops',
    method: 'GET',
    path: '/api/gitops',
    access: { kind: 'read' },
    summary:
      'What is delivered and whether the newest revision is; without a GitOps controller from workflow runs.',
    query: targetQuery.extend({ repo: repositoryName.optional() }),
    answer: z.object({
      mode: z.enum(['argocd', 'flux', 'workflows']),
      items: z.array(delivery),
      ...clusterReadingFields,
    }),
  }),
  defineRoute({
    id: 'delivery.lineage',
    method: 'GET',
    path: '/api/lineage',
    access: { kind: 'read' },
    summary: 'Per image the way from merge to running pod; `?sha=` answers whether that commit shipped.',
    query: targetQuery.extend({
      sha: z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[0-9a-f]{7,64}$/, 'must be a commit id, 7 characters at least')
        .optional(),
      repo: repositoryName.optional(),
    }),
    answer: z.object({
      /** The requested commit, in full if it was found. */
      sha: z.string().optional(),
      shipped: z.enum(['yes', 'no', 'unknown']).optional(),
      /** The first step it has not passed, or that was not read. */
      stopped_at: z.enum(lineageSteps).optional(),
      /** Workloads that run it, of those that have its image, while some but not all do; `shipped` is then `no`. */
      rolled_out: z.object({ workloads: sample, of: sample }).optional(),
      /** The answer as a sentence. */
      answer: z.string().optional(),
      /** With `sha`: those the commit is in or on its way to. */
      images: z.array(lineageImage),
      ...clusterReadingFields,
    }),
  }),
  defineRoute({
    id: 'delivery.devex',
    method: 'GET',
    path: '/api/devex',
    access: { kind: 'read' },
    summary: 'Delivery indicators from the persisted run-outcome series, each with its sample count.',
    query: z.object({
      days: z.enum(['7', '28', '90']).optional(),
      repo: repositoryName.optional(),
    }),
    answer: z.object({
      window_days: z.number().int(),
      /** An indicator is absent when its sample is smaller than `smallest_sample`; `unmeasured` says so. */
      indicators: z.object({
        lead_time: z.object({ median_seconds: z.number(), p90_seconds: z.number(), sample }).optional(),
        deploy_frequency: z.object({ per_day: z.number(), sample }).optional(),
        change_failure_rate: z.object({ share: z.number().min(0).max(1), sample }).optional(),
        time_to_restore: z.object({ median_seconds: z.number(), p90_seconds: z.number(), sample }).optional(),
        flaky_rate: z.object({ share: z.number().min(0).max(1), sample }).optional(),
      }),
      /** Sample of each indicator, also of those that are absent. */
      samples: z.object({
        lead_time: sample,
        deploy_frequency: sample,
        change_failure_rate: sample,
        time_to_restore: sample,
        flaky_rate: sample,
      }),
      smallest_sample: z.number().int(),
      /** One entry for each day of the window the series covers, oldest first. */
      days: z.array(devexDay),
      /** Repositories in the series. */
      repos: z.array(z.string()),
      /** Since when the series has every run; absent for an empty one. */
      series_since: z.iso.datetime().optional(),
      ...readingFields,
    }),
  }),
] as const;
