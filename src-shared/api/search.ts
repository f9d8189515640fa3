import { z } from 'zod';
import { healthState } from './cluster.ts';
import { defineRoute } from './route.ts';
import { clusterReadingFields, targetId } from './targets.ts';

/** Longest query, in characters. */
export const longestQuery = 200;

/** Why the console finds no chats. */
export const chatsNotSearched = 'Chats: they are in the studio; the window searches yours.';

/** Groups of results, in the order in which those of equal rank stand. */
export const searchGroups = [
  'pages',
  'targets',
  'saved',
  'namespaces',
  'workloads',
  'pods',
  'nodes',
  'objects',
  'apps',
  'runs',
  'commits',
  'symptoms',
  'audit',
  'sessions',
] as const;
export type SearchGroup = (typeof searchGroups)[number];

export const searchResult = z.object({
  /** Unique within its group. */
  id: z.string(),
  name: z.string(),
  /** Of an object of a cluster, such as `Deployment`. */
  kind: z.string().optional(),
  namespace: z.string().optional(),
  /** A few words of difference: why it fails, a run's repository. */
  detail: z.string().optional(),
  /** Of what can be judged. */
  state: healthState.optional(),
  /** Name of the cluster or bundle that an object is in. */
  target: z.string().optional(),
  /** Address inside the console that shows it, such as `/?tab=nodes&record=worker-1&target=prod`. */
  address: z.string(),
});
export type SearchResult = z.infer<typeof searchResult>;

export const searchRoutes = [
  defineRoute({
    id: 'search.find',
    method: 'GET',
    path: '/api/search',
    access: { kind: 'read' },
    summary:
      'Finds pages, targets, saved views, pins and notes, namespaces, nodes, workloads, pods, other objects, apps, runs, commits, symptoms, audit records and sessions by name, best first in each group, and says what was not searched.',
    query: z.object({
      /** Parts separated by spaces or slashes: each is in the name, or begins its namespace or kind. */
      q: z.string().max(longestQuery, `must have at most ${longestQuery} characters`),
      target: targetId.optional(),
      /** What is in this namespace stands before others that match as well. */
      namespace: z.string().max(253).optional(),
      /** Results in each group; 6 when absent. */
      limit: z
        .string()
        .regex(/^\d{1,3}$/)
        .transform(Number)
        .pipe(z.number().min(1).max(100))
        .optional(),
    }),
    answer: z.object({
      /** Groups with results, the one with the best match first. */
      groups: z.array(
        z.object({
          group: z.enum(searchGroups),
          items: z.array(searchResult),
          /** Matches beyond those. */
          more: z.number().int().nonnegative(),
        }),
      ),
      /** True while something is still being read: the same query finds more in a moment. */
      pending: z.boolean(),
      ...clusterReadingFields,
    }),
  }),
] as const;
