import type { ObjectRef } from '#shared/api/cluster.ts';
import type { CodedCheck, PlatformPart } from '#shared/api/symptoms.ts';

/** The origin of an observation. */
export type Origin = {
  /** Absent for a pasted text and for a bundle as a whole. */
  readonly object?: ObjectRef | undefined;
  /**
   * Object a finding is attributed to: the workload of a pod, the Deployment of a control plane, else the
   * object.
   */
  readonly owner?: ObjectRef | undefined;
  readonly container?: string | undefined;
  /** A field, a log or an address. */
  readonly ref: string;
  /** ISO 8601: when it was seen last, and when first. */
  readonly at?: string | undefined;
  readonly since?: string | undefined;
  readonly times?: number | undefined;
  /** True for a previous run of a container that is ready again. */
  readonly past?: boolean | undefined;
  /** Placeholder values besides those derived from the objects: `node`, `image`, `host`, `path`, `check`. */
  readonly values?: Readonly<Record<string, string>> | undefined;
};

type Ended = {
  readonly reason?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly message?: string | undefined;
};

/** A container that is not as it should be, with the state that says so. */
export type ContainerSeen = Origin & {
  readonly kind: 'container';
  readonly waiting: { readonly reason: string; readonly message?: string | undefined } | undefined;
  readonly ended: Ended | undefined;
  readonly init: boolean;
  /** Whether it keeps crashing, by its history. */
  readonly crashes: boolean;
};

export type PodSeen = Origin & {
  readonly kind: 'pod';
  /** Undefined while it is too early to say anything of it. */
  readonly phase: string | undefined;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly conditions: readonly ConditionFields[];
};

export type ConditionFields = {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
};

export type EventSeen = Origin & {
  readonly kind: 'event';
  readonly reason: string;
  /** Kind of the object it is about, in any case; undefined when the text does not say. */
  readonly about: string | undefined;
  readonly message: string;
};

export type HttpSeen = Origin & {
  readonly kind: 'http';
  readonly path: string;
  readonly failed: boolean;
  readonly detail: string;
  readonly checks: readonly {
    readonly name: string;
    readonly failed: boolean;
    readonly detail?: string | undefined;
  }[];
};

/** A variable as far as it is known without reading the value of a secret. */
export type Variable =
  | { readonly is: 'value'; readonly value: string }
  /** Set to a value that is not known: of a Secret, of a field, or left out of a bundle. */
  | { readonly is: 'reference'; readonly description: string };

export type EnvironmentSeen = Origin & {
  readonly kind: 'environment';
  readonly part: PlatformPart;
  readonly variables: ReadonlyMap<string, Variable>;
  /** Whether a variable that is not among them is unset, for certain. */
  readonly whole: boolean;
};

export type CertificateSeen = Origin & {
  readonly kind: 'certificate';
  readonly of: 'mesh_ca' | 'tls' | 'kubeconfig' | 'held';
  readonly is: 'expired' | 'expires_soon' | 'not_yet_valid' | 'incomplete' | 'no_ca';
  readonly text: string;
};

export type ConditionSeen = Origin & { readonly kind: 'condition'; readonly condition: ConditionFields };

export type CheckSeen = Origin & {
  readonly kind: 'check';
  readonly check: CodedCheck;
  readonly text: string;
};

/** A small fact of what there is, as it was read. */
export type Seen =
  | ContainerSeen
  | PodSeen
  | EventSeen
  | HttpSeen
  | EnvironmentSeen
  | CertificateSeen
  | ConditionSeen
  | CheckSeen;
