import type { HttpRead, Named, RawObject, Resource } from '../../../../cluster-model/kinds/index.ts';
import type { TableColumn, TableRequest, TableRow } from '../../any-kind.ts';
import type { LogRequest } from '../../types.ts';
import type { Covered } from '../coverage.ts';
import type { OpenedBundle } from '../types.ts';

/** A kind, as far as what a bundle holds of it goes. */
export type KindAsked = Pick<Resource, 'group' | 'plural' | 'namespaced'>;

type ObjectAsked = {
  readonly group: string;
  readonly plural: string;
  readonly name: string;
  readonly namespace: string | undefined;
};

/** The questions the thread that holds a bundle answers, each with the type of its answer's parts. */
export type Questions = {
  /** Everything of a kind the console reads, by its place in `resources`, in the order of namespace and name. */
  readonly items: {
    readonly request: { readonly resource: number };
    readonly part: { readonly items: readonly Named[]; readonly gaps: readonly string[] };
  };
  readonly covered: {
    readonly request: { readonly kind: KindAsked; readonly namespace: string | undefined };
    readonly part: Covered & {
      /** As our own capture recorded it, which takes precedence over everything else. */
      readonly isCaptured: boolean;
    };
  };
  readonly object: {
    readonly request: ObjectAsked;
    readonly part: {
      /** As text, which the main thread takes over in a fraction of the time of an object. */
      readonly json: string | undefined;
      /** A collector says that there certainly is none. */
      readonly isAbsent: boolean;
    };
  };
  readonly objects: {
    readonly request: {
      readonly group: string;
      readonly plural: string;
      readonly namespace: string | undefined;
    };
    readonly part: readonly RawObject[];
  };
  /** A page of any kind, as kubectl would print it of the cluster at the time it was taken. */
  readonly table: {
    readonly request: Omit<TableRequest, 'signal'>;
    readonly part: {
      readonly columns: readonly TableColumn[];
      readonly rows: readonly TableRow[];
      readonly next: string | undefined;
      /** Objects after this page; undefined where a selector leaves some out. */
      readonly remaining: number | undefined;
      readonly gaps: readonly string[];
    };
  };
  readonly origin: {
    readonly request: ObjectAsked;
    readonly part: { readonly file: string; readonly offset: number } | undefined;
  };
  /** The first part is the outcome of the read; the bytes of a log follow. */
  readonly log: {
    readonly request: Omit<LogRequest, 'signal'>;
    readonly part:
      | { readonly state: 'read' }
      | { readonly state: 'missing' | 'unread'; readonly reason: string }
      | { readonly state: 'bytes'; readonly bytes: Uint8Array };
  };
  readonly http: { readonly request: { readonly path: string }; readonly part: HttpRead };
};

export type Question = keyof Questions;

/** Parts of answers, one after another as they are wanted. */
export type Answers = {
  readonly [Q in Question]: (
    request: Questions[Q]['request'],
    signal: AbortSignal,
  ) => AsyncGenerator<Questions[Q]['part']>;
};

/** The facts known about a bundle once it is open. */
export type BundleFacts = Pick<OpenedBundle, 'facts' | 'kinds'> & {
  /** Epoch milliseconds. */
  readonly takenAt: number;
  /** Version of the cluster. */
  readonly version: string | undefined;
};
