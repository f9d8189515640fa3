import { z } from 'zod';
import { defineRoute } from './route.ts';
import { clusterReadingFields, targetQuery } from './targets.ts';

const count = z.number().int().nonnegative();

/** Levels of the Pod Security Standards; `none` where a namespace names none (Kubernetes then enforces nothing). */
export const podSecurityLevel = z.enum(['privileged', 'baseline', 'restricted', 'none']);

const namespacePosture = z.object({
  name: z.string(),
  /** Of the cluster itself, such as `kube-system`. */
  system: z.boolean(),
  /** Absent where its labels name none. */
  tenant: z.string().optional(),
  initiative: z.string().optional(),
  /** Absent where quotas were not read. */
  quotas: count.optional(),
  /** Absent where network policies were not read. */
  network_policies: z
    .object({
      count,
      /** Whether a policy selects every pod, so that what no policy admits is refused. */
      default_deny_ingress: z.boolean(),
    })
    .optional(),
  pod_security: z.object({ enforce: podSecurityLevel, version: z.string().optional() }),
  /** Workloads, and how many of them run as the service account `default`; absent where workloads were not read. */
  workloads: z.object({ count, default_service_account: count }).optional(),
});
export type NamespacePosture = z.infer<typeof namespacePosture>;

export const estateRoutes = [
  defineRoute({
    id: 'estate.governance',
    method: 'GET',
    path: '/api/governance',
    access: { kind: 'read' },
    summary: 'Governance of the estate: ownership, storage of credentials, posture of namespaces.',
    query: targetQuery,
    answer: z.object({
      ...clusterReadingFields,
      ownership: z.object({
        /** Namespaces that are not of the cluster itself, and those of them that name a tenant. */
        namespaces: count,
        owned: count,
        unowned: z.array(z.string()),
      }),
      credentials: z.object({
        connections: count,
        /** Credentials that are set, by where they are kept. */
        kept_in_keychain: count,
        kept_sealed: count,
        /** Connections that lack a credential their type requires. */
        incomplete: z.array(
          z.object({ connection: z.string(), tenant: z.string(), missing: z.array(z.string()) }),
        ),
      }),
      namespaces: z.array(namespacePosture),
    }),
  }),
] as const;
