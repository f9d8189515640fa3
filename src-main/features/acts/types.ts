import type { ActAgain, ActDefinition, ActId, ActObject, ActOutcome, ActPreview } from '#shared/api/acts.ts';
import type { ActClass } from '#shared/api/guardrails.ts';
import type { AuditDetail } from '#shared/api/handler.ts';
import type { RawObject } from '../../cluster-model/index.ts';
import type { ObjectAccess, ObjectWrite, ServedKind } from '../../sources/cluster/index.ts';
import type { Actor } from '../guardrails/index.ts';

/** An act on one object of a target. */
export type ActRequest = {
  /** Name of a target. */
  readonly target: string;
  readonly act: ActId;
  readonly object: ActObject;
  /** By the act's schema (`actArgs`); `{}` where it has none. */
  readonly args: unknown;
};

/** An act that is to be carried out as it was previewed. */
export type ActPerformance = ActRequest & {
  /** Of the preview. */
  readonly digest: string;
  /** Chosen by the caller: the act is carried out once for each key. */
  readonly key: string;
  /** The name of the target, typed by the person, for a protected one. */
  readonly confirm?: string | undefined;
};

/** The one registry of acts on objects of clusters. Every path that changes an object goes through it. */
export type Acts = {
  definitions(): readonly ActDefinition[];
  /**
   * Judges an act by a dry run of the server; changes nothing. Throws `BadInput` for arguments or a kind the act does not
   * take, `NotFound` for an object or target that is not there, `Unavailable` when the cluster does not answer.
   */
  preview(request: ActRequest, actor: Actor, signal: AbortSignal): Promise<ActPreview>;
  /**
   * Carries an act out, once for each key, and resolves when it took effect or is known not to: guard, writable target, right and
   * resourceVersion are judged again; an audit record is written before the act, and one after it. A call with a key that was
   * used answers the kept outcome. The act goes on when `signal` aborts. Throws as `preview`, `Conflict` for a key
   * that was used for another act, `Unavailable` when the record before the act could not be written: nothing was done then.
   */
  perform(
    request: ActPerformance,
    actor: Actor,
    signal: AbortSignal,
    /** Circumstances for the audit records, such as the caller's address. */
    origin?: AuditDetail,
  ): Promise<ActOutcome>;
};

/** How to find out by reading whether a write was carried out. */
export type Evidence = {
  readonly kind: ServedKind;
  readonly namespace: string | undefined;
  readonly name: string;
} /** These fields, a subset of the object of this uid. `null`: the field is absent. */ & (
  | { readonly shows: 'fields'; readonly uid: string; readonly fields: RawObject }
  /** There is such an object. */
  | { readonly shows: 'exists' }
  /** The object of this uid is gone or being deleted. */
  | { readonly shows: 'gone'; readonly uid: string }
);

export type PlannedWrite = ObjectWrite & {
  readonly evidence: Evidence;
  /** Asked again while the server blocks it, as an eviction. */
  readonly patient?: true;
  /** What it does, for a record of several: `evict apps/web-1`. */
  readonly part?: string;
};

/** How far an act took effect, as read now. */
export type Progress = {
  readonly state: 'done' | 'under_way' | 'failed' | 'gone';
  /** One sentence. */
  readonly sentence: string;
};

/** Everything an act is judged by. */
export type ActContext = {
  readonly access: ObjectAccess;
  readonly kind: ServedKind;
  /** The object as it was read now, with its uid and resourceVersion. */
  readonly object: RawObject;
  readonly address: ActObject;
  /** Makes names of what is created the same for the same key. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly now: number;
};

/** The effect of an act on an object as it is now. */
export type Plan = {
  /** What is done, one sentence without the target. */
  readonly sentence: string;
  /** Default: the class of the act's definition. */
  readonly class?: ActClass;
  /** Why it cannot be done, one sentence; there are no writes then. */
  readonly refusal?: string;
  readonly writes: readonly PlannedWrite[];
  /** What happens to pods, one sentence each. */
  readonly effects: readonly string[];
  readonly warnings: readonly string[];
  readonly undo?: ActAgain;
  /** Reads how far it took effect. Resolves `undefined` when it could not be read now. */
  progress(access: ObjectAccess): Promise<Progress | undefined>;
};

/** Plans an act on an object; `args` were parsed by its schema. */
export type Planner<Args> = (context: ActContext, args: Args) => Promise<Plan>;
