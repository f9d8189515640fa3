import type { z } from 'zod';

/**
 * A kind of the Kubernetes API that the console reads, and what it reads of one object. The schema is the border: what
 * it does not name is neither kept nor paid for (a pod of 6 kB becomes 1 kB), and what it cannot understand is named.
 */
export type Resource<T extends Named = Named> = {
  /** Empty for the core group. */
  readonly group: string;
  /** API versions in order of preference; the first one the server has is read. */
  readonly versions: readonly [string, ...string[]];
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /**
   * False for resources that can only be listed, such as metrics.k8s.io: read again on request, at most every
   * 15 s.
   */
  readonly watchable: boolean;
  /** True for what explains other things and is large, such as events: read after the rest, and not waited for as long. */
  readonly explains: boolean;
  /** Schema of one object, with the fields that are read. */
  readonly schema: z.ZodType<T>;
};

/** The metadata every object has. */
export type Named = {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
};

/** The outcome of reading a resource. In every state, `items` contains what was read. */
export type ListingState =
  /** Everything that was requested. */
  | 'read'
  /** Some of it: `gaps` says what is missing. */
  | 'partly'
  /** The server does not have this kind, such as a CRD that is not installed: there is none, for certain. */
  | 'not_served'
  /** A bundle that does not contain this kind: there may be some. */
  | 'not_collected'
  /** Nothing of it may be read. */
  | 'forbidden'
  /** The cluster did not answer. */
  | 'unavailable';

export type Listing<T> = {
  readonly state: ListingState;
  readonly items: readonly T[];
  /**
   * Parts that were not read and why, one sentence each, such as `Forbidden: list pods in tenant-willow.`;
   * empty for `read` and `not_served`. Copied into `unmeasured` unchanged.
   */
  readonly gaps: readonly string[];
  /** Namespaces that were read whole, in a listing that was read partly. */
  readonly readIn?: readonly string[];
  /** Epoch milliseconds: of the newest answer; for a bundle when it was taken. */
  readonly readAt: number;
  /** Another value for another content: what is computed from a listing can be kept until it changes. */
  readonly revision: string;
};

/** One object as the cluster has it. */
export type RawObject = { readonly [field: string]: unknown };

/** Returns whether a value is an object with fields: neither null nor a list. */
export function isRecord(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The answer of an address of the API server's own, such as a service's health through its proxy. */
export type HttpRead =
  | { readonly state: 'read'; readonly status: number; readonly body: string }
  | { readonly state: 'unread'; readonly reason: string };
