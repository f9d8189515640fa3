import type { Bundle } from '#shared/api/targets.ts';

/** The content of a bundle's file, as derived from its path. */
export type Holding =
  | {
      readonly what: 'objects';
      /** `pods`, `deployments.apps`: empty where only the content tells. */
      readonly key: string;
      /** Namespace of items that name none. */
      readonly namespace: string | undefined;
      /** A list is all there is of its kind, in its namespace if it has one; a single object says nothing of others. */
      readonly form: 'list' | 'single';
      /** Another copy of what a list holds: used where the list does not have it. */
      readonly isCopy: boolean;
    }
  | {
      readonly what: 'log';
      readonly namespace: string;
      readonly pod: string;
      readonly container: string;
      readonly run: 'current' | 'previous' | 'rotated';
      /** For a rotated log: the container's restart count then, and the time of the rotation. */
      readonly restarts: number;
      readonly rotatedAt: string;
      readonly isGzip: boolean;
    }
  /** All containers' logs in one file, divided by markers. */
  | { readonly what: 'pod-log'; readonly namespace: string; readonly pod: string }
  /** The reason a log is missing, as its content. */
  | {
      readonly what: 'log-failure';
      readonly namespace: string;
      readonly pod: string;
      readonly container: string;
    }
  | { readonly what: 'node-log'; readonly node: string; readonly isGzip: boolean }
  /** The reason a kind was not collected: a map of namespaces to reasons, or a list of reasons. */
  | { readonly what: 'failures'; readonly key: string }
  /** A collector's finding on one Secret or ConfigMap, including that it does not exist. */
  | { readonly what: 'finding'; readonly key: string; readonly namespace: string; readonly name: string }
  | {
      readonly what:
        | 'version'
        | 'groups'
        | 'resources'
        | 'discovery'
        | 'summary'
        | 'collector-failure'
        | 'times'
        | 'capture'
        | 'answers'
        /** Output of any other collector. */
        | 'other';
    };

/** A layout: how the files of a bundle are arranged. */
export type Layout = {
  readonly name: NonNullable<Bundle['layout']>;
  /** By the path from the layout's root. */
  holdingOf(path: string): Holding | undefined;
  /**
   * Scope of the lists of a namespaced kind: `namespaces`: one list for each namespace of the cluster that
   * was collected; `some-namespaces`: only of selected namespaces; `unknown`: nothing shows that any list is
   * complete.
   */
  readonly scope: 'namespaces' | 'some-namespaces' | 'unknown';
};

/** A layout, and the folders of a bundle that have it; empty for the bundle itself. */
export type FoundLayout = { readonly layout: Layout; readonly roots: readonly string[] };

/** An object file, by its extension. */
export const objectFile = /\.(?:json|ya?ml)$/;
