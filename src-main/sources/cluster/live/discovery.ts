import { z } from 'zod';
import type { Named, Resource } from '../../../cluster-model/kinds/index.ts';
import type { Connection } from './connection.ts';
import { ClusterFailure } from './failures.ts';

const groupList = z.object({
  groups: z.array(z.object({ name: z.string(), versions: z.array(z.object({ version: z.string() })) })),
});
const resourceList = z.object({ resources: z.array(z.object({ name: z.string() })) });

/** The version of a kind that the server has. */
export type Discovery = {
  /** Path of all objects of a kind, in one namespace or everywhere. Throws a `not_served` failure. */
  pathOf(resource: Resource<Named>, namespace: string | undefined): Promise<string>;
  /** Forgets what was found: a kind may have come or gone. */
  forget(): void;
};

/**
 * Asks `/apis` and each group version once; what is missing is looked for again at most every `again` milliseconds, so that
 * a fresh CRD appears by itself. The core group needs no asking. Where discovery is not allowed the preferred version is taken.
 */
export function createDiscovery(connection: Connection, now: () => number, again: number): Discovery {
  let groups:
    | { readonly at: number; readonly read: Promise<ReadonlyMap<string, readonly string[]>> }
    | undefined;
  const kinds = new Map<string, { readonly at: number; readonly read: Promise<ReadonlySet<string>> }>();

  const groupsNow = (): Promise<ReadonlyMap<string, readonly string[]>> => {
    const read = connection
      .json({ path: '/apis', act: 'list the API groups' })
      .then(
        (answer) =>
          new Map(
            groupList
              .parse(answer)
              .groups.map(({ name, versions }) => [name, versions.map(({ version }) => version)]),
          ),
      );
    groups = { at: now(), read };
    read.catch(() => {
      groups = undefined;
    });
    return read;
  };
  const kindsOf = (path: string): Promise<ReadonlySet<string>> => {
    const read = connection
      .json({ path, act: `list the kinds of ${path.slice('/apis/'.length)}` })
      .then((answer) => new Set(resourceList.parse(answer).resources.map(({ name }) => name)));
    kinds.set(path, { at: now(), read });
    read.catch(() => kinds.delete(path));
    return read;
  };
  const isOld = ({ at }: { readonly at: number }): boolean => now() - at >= again;

  const versionOf = async ({ group, versions, plural }: Resource<Named>): Promise<string | undefined> => {
    let served = await (groups?.read ?? groupsNow());
    if (!served.has(group) && (groups === undefined || isOld(groups))) served = await groupsNow();
    for (const version of versions.filter((known) => served.get(group)?.includes(known))) {
      const path = `/apis/${group}/${version}`;
      const known = kinds.get(path);
      let plurals = await (known?.read ?? kindsOf(path));
      if (!plurals.has(plural) && known !== undefined && isOld(known)) plurals = await kindsOf(path);
      if (plurals.has(plural)) return version;
    }
    return undefined;
  };

  return {
    async pathOf(resource, namespace) {
      const { group, versions, plural } = resource;
      const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
      if (group === '') return `/api/${versions[0]}${within}/${plural}`;
      let version: string | undefined;
      try {
        version = await versionOf(resource);
      } catch (error) {
        if (error instanceof z.ZodError)
          throw new ClusterFailure(
            'refused',
            `${connection.host()} answers discovery in a way that is not understood.`,
          );
        if (!(error instanceof ClusterFailure) || (error.kind !== 'forbidden' && error.kind !== 'missing'))
          throw error;
        version = versions[0];
      }
      if (version === undefined) throw notServed(resource);
      return `/apis/${group}/${version}${within}/${plural}`;
    },
    forget() {
      groups = undefined;
      kinds.clear();
    },
  };
}

export function notServed({ plural, group }: Pick<Resource<Named>, 'plural' | 'group'>): ClusterFailure {
  return new ClusterFailure(
    'not_served',
    `The cluster does not have ${group === '' ? plural : `${plural}.${group}`}.`,
  );
}

/** The path of one object, from that of all. */
export function objectPath(collection: string, name: string): string {
  return `${collection}/${encodeURIComponent(name)}`;
}

/** Returns the action, for messages: `list pods in tenant-willow`, `get pods web-1 in shop`. */
export function actOf(
  verb: string,
  { plural }: Pick<Resource<Named>, 'plural'>,
  namespace?: string,
  name?: string,
): string {
  return `${verb} ${plural}${name === undefined ? '' : ` ${name}`}${namespace === undefined ? '' : ` in ${namespace}`}`;
}
