import type { Bundle } from '#shared/api/targets.ts';

/** What a file of a bundle holds, as its path tells. */
export type Holding =
  | {
      readonly what: 'objects';
      /** `pods`, `deployments.apps`: empty where only the content tells. */
      readonly key: string;
      /** Of items that name none. */
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
      /** Of a rotated one: how often the container had restarted, and the time it was rotated. */
      readonly restarts: number;
      readonly rotatedAt: string;
      readonly isGzip: boolean;
    }
  /** All containers' logs in one file, divided by markers. */
  | { readonly what: 'pod-log'; readonly namespace: string; readonly pod: string }
  /** Why a log is not there, as its content. */
  | {
      readonly what: 'log-failure';
      readonly namespace: string;
      readonly pod: string;
      readonly container: string;
    }
  | { readonly what: 'node-log'; readonly node: string; readonly isGzip: boolean }
  /** Why a kind was not collected: a map of namespaces to reasons, or a list of reasons. */
  | { readonly what: 'failures'; readonly key: string }
  /** What the collector found of one Secret or ConfigMap, also that there is none. */
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
        /** What another collector wrote. */
        | 'other';
    };

/** How the files of a bundle are arranged. */
export type Layout = {
  readonly name: NonNullable<Bundle['layout']>;
  /** By the path from the layout's root. */
  holdingOf(path: string): Holding | undefined;
  /**
   * How much of a kind with namespaces its lists are: `namespaces`: one list for each namespace of the cluster that was
   * collected; `some-namespaces`: only of namespaces that were chosen; `unknown`: nothing says that anything is whole.
   */
  readonly scope: 'namespaces' | 'some-namespaces' | 'unknown';
};

/** A layout, and the folders of a bundle that have it; empty for the bundle itself. */
export type FoundLayout = { readonly layout: Layout; readonly roots: readonly string[] };

/** An object file, by its extension. */
export const objectFile = /\.(?:json|ya?ml)$/;
