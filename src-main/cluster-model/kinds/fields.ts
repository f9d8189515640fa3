import { z } from 'zod';

/**
 * Pieces of the schemas of Kubernetes objects. Go writes an empty list or map as null or leaves it out; all three are
 * the same to us. A field that is optional in the API is optional here; one of another type fails the whole object, which
 * is then named as not understood.
 */
export const list = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);

const map = <S extends z.ZodType>(value: S) =>
  z
    .record(z.string(), value)
    .nullish()
    .transform((entries) => entries ?? {});

export const optional = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((value) => value ?? undefined);

export const text = optional(z.string());
export const number = optional(z.number());
export const flag = optional(z.boolean());

/** Text map, such as labels. */
export const textMap = map(z.string());

/** An IntOrString, as text. */
export const intOrText = z.union([z.string(), z.number()]).transform(String);

/** A quantity as it is written, such as `250m` or `1Gi`; some writers leave it a number. */
export const quantityMap = map(intOrText);

const ownerReferences = list(z.object({ kind: z.string(), name: z.string(), controller: flag, uid: text }));

export const metadata = z.object({
  name: z.string(),
  namespace: text,
  uid: text,
  labels: textMap,
  annotations: textMap,
  creationTimestamp: text,
  deletionTimestamp: text,
  generation: number,
  resourceVersion: text,
  ownerReferences,
});

/** As `metadata`, without annotations: of kinds that come by the thousand. */
export const leanMetadata = metadata.omit({ annotations: true });

export const conditions = list(
  z.object({
    type: z.string(),
    status: z.string(),
    reason: text,
    message: text,
    lastTransitionTime: text,
    lastHeartbeatTime: text,
    observedGeneration: number,
  }),
);

export const labelSelector = z.object({
  matchLabels: textMap,
  matchExpressions: list(z.object({ key: z.string(), operator: z.string(), values: list(z.string()) })),
});
