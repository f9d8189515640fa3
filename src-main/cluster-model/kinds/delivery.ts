import { z } from 'zod';
import { define } from './define.ts';
import { conditions, flag, list, metadata, number, optional, text } from './fields.ts';

/** Argo CD. */
export const applications = define({
  group: 'argoproj.io',
  versions: ['v1alpha1'],
  plural: 'applications',
  kind: 'Application',
  schema: z.object({
    metadata,
    spec: z.object({
      source: optional(z.object({ repoURL: text, path: text, targetRevision: text, chart: text })),
      sources: list(z.object({ repoURL: text, path: text, targetRevision: text, chart: text })),
      destination: optional(z.object({ namespace: text, server: text, name: text })),
    }),
    status: optional(
      z.object({
        sync: optional(z.object({ status: text, revision: text, revisions: list(z.string()) })),
        /** Oldest first. */
        history: list(z.object({ revision: text, revisions: list(z.string()), deployedAt: text })),
        health: optional(z.object({ status: text, message: text, lastTransitionTime: text })),
        operationState: optional(z.object({ phase: text, message: text, finishedAt: text, startedAt: text })),
        reconciledAt: text,
        conditions: list(z.object({ type: z.string(), message: text, lastTransitionTime: text })),
      }),
    ),
  }),
});

const fluxStatus = optional(
  z.object({
    conditions,
    lastAppliedRevision: text,
    lastAttemptedRevision: text,
    observedGeneration: number,
  }),
);

export const kustomizations = define({
  group: 'kustomize.toolkit.fluxcd.io',
  versions: ['v1', 'v1beta2'],
  plural: 'kustomizations',
  kind: 'Kustomization',
  schema: z.object({
    metadata,
    spec: z.object({
      suspend: flag,
      path: text,
      sourceRef: optional(z.object({ kind: text, name: text, namespace: text })),
    }),
    status: fluxStatus,
  }),
});

export const helmReleases = define({
  group: 'helm.toolkit.fluxcd.io',
  versions: ['v2', 'v2beta2', 'v2beta1'],
  plural: 'helmreleases',
  kind: 'HelmRelease',
  schema: z.object({
    metadata,
    spec: z.object({
      suspend: flag,
      chart: optional(z.object({ spec: optional(z.object({ chart: text, version: text })) })),
    }),
    status: optional(
      z.object({
        conditions,
        lastAppliedRevision: text,
        lastAttemptedRevision: text,
        observedGeneration: number,
        history: list(z.object({ chartVersion: text, status: text, lastDeployed: text })),
      }),
    ),
  }),
});
