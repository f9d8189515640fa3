import { z } from 'zod';
import { isRecord } from '../../../../cluster-model/index.ts';

/** Forms of what collectors write beside Kubernetes objects. */

/** `cluster_version.json` of troubleshoot (pkg/collect/cluster_info.go). */
export const clusterVersion = z.object({ string: z.string() });

/** `groups.json` of troubleshoot: bare APIGroups. */
export const groupList = z.array(z.object({ name: z.string() }));

/** `resources.json` of troubleshoot: bare APIResourceLists. */
export const resourceLists = z.array(
  z.object({
    groupVersion: z.string(),
    resources: z.array(z.object({ name: z.string(), kind: z.string(), namespaced: z.boolean() })).nullish(),
  }),
);

/** `aggregated-discovery-api.yaml` of a must-gather: an APIGroupDiscoveryList. */
export const discovery = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string().nullish() }),
      versions: z.array(
        z.object({
          version: z.string(),
          resources: z
            .array(
              z.object({
                resource: z.string(),
                responseKind: z.object({ kind: z.string() }),
                scope: z.string(),
              }),
            )
            .nullish(),
        }),
      ),
    }),
  ),
});

/** The output of troubleshoot's collectors of one Secret or ConfigMap. */
export const finding = z.object({
  namespace: z.string().optional(),
  name: z.string().optional(),
  secretExists: z.boolean().optional(),
  configMapExists: z.boolean().optional(),
});

export const collectorFailure = z.object({ collector: z.string().optional(), error: z.unknown() });

/** Files `<kind>-errors.json` of troubleshoot: reasons by namespace or kind, or bare ones. */
export const failureReasons = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]);

/**
 * The output of troubleshoot's HTTP collector (pkg/collect/http.go); it does not name the address requested.
 */
export const httpAnswer = z.union([
  z.object({ response: z.object({ status: z.number().int() }) }),
  z.object({ error: z.object({ message: z.string() }) }),
]);

/** A reason as it was written: a text, or a Go error's fields. */
export function reasonOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = isRecord(error) ? (error.message ?? error.error) : undefined;
  return typeof message === 'string' ? message : JSON.stringify(error);
}
