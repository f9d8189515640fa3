import { z } from 'zod';
import { inParallel } from '../../../base/in-parallel.ts';
import type { Named, Resource } from '../../../cluster-model/kinds/index.ts';
import type { Connection } from './connection.ts';
import { ClusterFailure } from './failures.ts';

/** Finds namespaces in which resources may be read that may not be read cluster-wide. */
export type NamespaceFinder = {
  /** Namespaces worth a try, and whether these are all there are. */
  find(): Promise<{ readonly names: readonly string[]; readonly all: boolean }>;
  /** Returns the namespaces in which the kind may be listed, and the others. */
  split(
    resource: Resource<Named>,
    names: readonly string[],
  ): Promise<{ readonly open: readonly string[]; readonly closed: readonly string[] }>;
  forget(): void;
};

const namespaceList = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) });

/** SelfSubjectRulesReview (authorization.k8s.io/v1). */
const review = z.object({
  status: z.object({
    incomplete: z.boolean().optional(),
    resourceRules: z.array(
      z.object({
        verbs: z.array(z.string()),
        apiGroups: z.array(z.string()).nullish(),
        resources: z.array(z.string()).nullish(),
        resourceNames: z.array(z.string()).nullish(),
      }),
    ),
  }),
});
type Rules = z.infer<typeof review>['status'];

type Remembered<T> = { readonly at: number; readonly read: Promise<T> };

export function createNamespaceFinder(options: {
  readonly connection: Connection;
  /** Names the operator has set, and those the context has. */
  readonly configured: () => readonly string[];
  readonly now: () => number;
  /** Milliseconds an answer is good for. */
  readonly fresh: number;
}): NamespaceFinder {
  const { connection, configured, now, fresh } = options;
  let listed: Remembered<readonly string[] | undefined> | undefined;
  const rules = new Map<string, Remembered<Rules | undefined>>();

  const namespacesNow = async (): Promise<readonly string[] | undefined> => {
    try {
      const answer = await connection.json({ path: '/api/v1/namespaces?limit=1000', act: 'list namespaces' });
      return namespaceList.parse(answer).items.map(({ metadata }) => metadata.name);
    } catch (error) {
      if (error instanceof ClusterFailure && error.kind === 'forbidden') return undefined;
      throw error;
    }
  };
  const rulesNow = async (namespace: string): Promise<Rules | undefined> => {
    try {
      const body = JSON.stringify({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectRulesReview',
        spec: { namespace },
      });
      const answer = await connection.json({
        path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        method: 'POST',
        body,
        act: `review what may be read in ${namespace}`,
      });
      return review.parse(answer).status;
    } catch {
      // Without it the list itself tells.
      return undefined;
    }
  };
  const rulesIn = (namespace: string): Promise<Rules | undefined> => {
    const known = rules.get(namespace);
    if (known !== undefined && now() - known.at < fresh) return known.read;
    const read = rulesNow(namespace);
    rules.set(namespace, { at: now(), read });
    return read;
  };

  return {
    async find() {
      if (listed === undefined || now() - listed.at >= fresh) listed = { at: now(), read: namespacesNow() };
      listed.read.catch(() => {
        listed = undefined;
      });
      const all = await listed.read;
      if (all !== undefined) return { names: all, all: true };
      const own = [...new Set(configured())];
      const named = namesIn(await rulesIn(own[0] ?? 'default'));
      return { names: [...new Set([...own, ...named])].sort(), all: false };
    },
    async split(resource, names) {
      const open: string[] = [];
      const closed: string[] = [];
      await inParallel(names, 8, async (name) => {
        const found = await rulesIn(name);
        const may = found === undefined || found.incomplete === true || allows(found, resource);
        (may ? open : closed).push(name);
      });
      return { open: open.sort(), closed: closed.sort() };
    },
    forget() {
      listed = undefined;
      rules.clear();
    },
  };
}

/** Namespaces that rules allow by name. */
function namesIn(rules: Rules | undefined): string[] {
  return (rules?.resourceRules ?? [])
    .filter(({ resources }) => resources?.includes('namespaces'))
    .flatMap(({ resourceNames }) => resourceNames ?? []);
}

function allows({ resourceRules }: Rules, { group, plural }: Resource<Named>): boolean {
  const has = (some: readonly string[] | null | undefined, one: string): boolean =>
    some?.includes('*') === true || some?.includes(one) === true;
  return resourceRules.some(
    ({ verbs, apiGroups, resources, resourceNames }) =>
      has(verbs, 'list') &&
      has(apiGroups, group) &&
      has(resources, plural) &&
      (resourceNames === undefined || resourceNames === null || resourceNames.length === 0),
  );
}
