import type { ApiUser } from './access.ts';
import { builtInOf } from './built-in-kinds.ts';
import { objectAt, textAt, valueAt } from './object-fields.ts';
import { verbsOf } from './verbs.ts';
import type { KubeKind, World } from './world.ts';

const group = 'authorization.k8s.io';

/** Reviews of one's own rights, which are asked and never kept. */
export const reviewKinds: readonly KubeKind[] = [
  ['selfsubjectaccessreviews', 'SelfSubjectAccessReview'] as const,
  ['selfsubjectrulesreviews', 'SelfSubjectRulesReview'] as const,
].map(([plural, kind]) => ({ group, version: 'v1', plural, kind, namespaced: false }));

/** Subresources that a rule can name beside the kinds. */
const subresources = ['pods/log', 'pods/portforward', 'pods/proxy', 'services/proxy'];

const readingVerbs = ['get', 'list', 'watch'];

/** May the caller do this one thing? Nobody may change a world that can only be read. */
export function accessReview(user: ApiUser, review: unknown, world: World): object {
  const requested = objectAt(review, 'spec', 'resourceAttributes');
  const namespace = textAt(requested, 'namespace');
  const subresource = textAt(requested, 'subresource');
  const isResource = valueAt(review, 'spec', 'resourceAttributes') !== undefined;
  const verb = textAt(requested, 'verb');
  const allowed =
    !isResource ||
    ((world.write !== undefined || readingVerbs.includes(verb)) &&
      (user.allow === undefined ||
        user.allow({
          verb,
          group: textAt(requested, 'group'),
          plural: `${textAt(requested, 'resource')}${subresource === '' ? '' : `/${subresource}`}`,
          namespace: namespace === '' ? undefined : namespace,
        })));
  return {
    kind: 'SelfSubjectAccessReview',
    apiVersion: `${group}/v1`,
    metadata: {},
    spec: objectAt(review, 'spec'),
    status: { allowed },
  };
}

/** Returns the caller's permissions in a namespace. The answer's spec is empty, as a real server's. */
export function rulesReview(user: ApiUser, review: unknown, world: World): object {
  const namespace = textAt(review, 'spec', 'namespace');
  return {
    kind: 'SelfSubjectRulesReview',
    apiVersion: `${group}/v1`,
    metadata: {},
    spec: {},
    status: {
      resourceRules: [
        {
          verbs: ['create'],
          apiGroups: [group],
          resources: reviewKinds.map(({ plural }) => plural),
        },
        ...rulesIn(user, namespace, world),
      ],
      nonResourceRules: [
        {
          verbs: ['get'],
          nonResourceURLs: [
            '/api',
            '/api/*',
            '/apis',
            '/apis/*',
            '/livez',
            '/openapi/*',
            '/readyz',
            '/version',
          ],
        },
      ],
      incomplete: false,
    },
  };
}

function rulesIn({ allow }: ApiUser, namespace: string, world: World): object[] {
  const writable = world.write !== undefined;
  if (allow === undefined)
    return [{ verbs: writable ? ['*'] : readingVerbs, apiGroups: ['*'], resources: ['*'] }];
  const requested = [
    ...world
      .kinds()
      .map((kind) => ({ group: kind.group, plural: kind.plural, verbs: verbsOf(kind, writable) })),
    ...subresources.map((plural) => ({ group: '', plural, verbs: ['get', 'create'] })),
  ];
  return requested.flatMap(({ group, plural, verbs }) => {
    const clusterWide = builtInOf({ group, plural })?.namespaced === false;
    const granted = verbs.filter((verb) =>
      allow({ verb, group, plural, namespace: clusterWide ? undefined : namespace }),
    );
    return granted.length === 0 ? [] : [{ verbs: granted, apiGroups: [group], resources: [plural] }];
  });
}
