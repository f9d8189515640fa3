import { z } from 'zod';
import type { Cluster } from '../../types.ts';
import { groupVersion } from '../objects/kind-key.ts';
import type { KnownKind } from '../objects/kinds.ts';
import { reasonOf } from './raw-lists.ts';

const apiResourceList = z.looseObject({
  groupVersion: z.string(),
  resources: z.array(
    z.looseObject({
      name: z.string(),
      kind: z.string(),
      namespaced: z.boolean(),
      verbs: z.array(z.string()),
    }),
  ),
});
const apiGroup = z.looseObject({
  name: z.string(),
  versions: z.array(z.looseObject({ groupVersion: z.string(), version: z.string() })),
  preferredVersion: z.looseObject({ groupVersion: z.string(), version: z.string() }).optional(),
});
const apiGroupList = z.object({ groups: z.array(apiGroup) });

/** The groups, versions and kinds an API serves. */
export type Discovery = {
  /** As support bundles keep it: the core group has an empty name. */
  readonly groups: readonly z.infer<typeof apiGroup>[];
  readonly resources: readonly z.infer<typeof apiResourceList>[];
  /** Kinds that can be listed, in their group's preferred version. */
  readonly kinds: readonly KnownKind[];
  /** Reasons for the parts that could not be read, by group and version. */
  readonly failures: Readonly<Record<string, string>>;
};

export async function readDiscovery(cluster: Cluster, signal: AbortSignal): Promise<Discovery> {
  const failures: Record<string, string> = {};
  const get = async <T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> => {
    const answer = await cluster.httpGet(path, signal);
    signal.throwIfAborted();
    if (answer.state === 'unread') failures[path] = answer.reason;
    else if (answer.status !== 200) failures[path] = reasonOf(answer.body, answer.status);
    else {
      try {
        return schema.parse(JSON.parse(answer.body));
      } catch {
        failures[path] = 'the answer is not understood';
      }
    }
    return undefined;
  };
  const core = {
    name: '',
    versions: [{ groupVersion: 'v1', version: 'v1' }],
    preferredVersion: { groupVersion: 'v1', version: 'v1' },
  };
  const named = await get('/apis', apiGroupList);
  const groups = [core, ...(named?.groups ?? [])];
  const lists = await Promise.all(
    groups.flatMap(({ name, versions }) =>
      versions.map((each) => get(name === '' ? '/api/v1' : `/apis/${each.groupVersion}`, apiResourceList)),
    ),
  );
  const resources = lists.filter((list) => list !== undefined);
  const preferred = new Set(
    groups.map(({ preferredVersion, versions }) => (preferredVersion ?? versions[0])?.groupVersion),
  );
  const kinds = resources
    .toSorted((a, b) => Number(preferred.has(b.groupVersion)) - Number(preferred.has(a.groupVersion)))
    .flatMap((list) =>
      list.resources
        .filter(({ name, verbs }) => !name.includes('/') && verbs.includes('list'))
        .map(({ name, kind, namespaced }) => ({
          ...groupVersion(list.groupVersion),
          plural: name,
          kind,
          namespaced,
        })),
    );
  return { groups: named === undefined ? [] : groups, resources, kinds, failures };
}
