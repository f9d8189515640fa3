import type { ApiUser } from './access.ts';
import { builtInOf } from './built-in-kinds.ts';
import { objectAt, textAt, valueAt } from './object-fields.ts';
import { invalid, type StatusCause } from './status.ts';
import { verbsOf } from './verbs.ts';
import type { KubeKind, World } from './world.ts';

const group = 'authorization.k8s.io';

const accessReviewKind: KubeKind = {
  group,
  version: 'v1',
  plural: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
};

/** Reviews of one's own rights, which are asked and never kept. */
export const reviewKinds: readonly KubeKind[] = [
  accessReviewKind,
  { ...accessReviewKind, plural: 'selfsubjectrulesreviews', kind: 'SelfSubjectRulesReview' },
];

/** Subresources that a rule can name beside the kinds. */
const subresources = ['pods/eviction', 'pods/log', 'pods/portforward', 'pods/proxy', 'services/proxy'];

const readingVerbs = ['get', 'list', 'watch'];

/** Addresses that everybody may get, beside the objects; one that ends in `*` stands for all that begin so. */
const openAddresses = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/healthz',
  '/livez',
  '/openapi',
  '/openapi/*',
  '/readyz',
  '/version',
  '/version/',
];

function mayGet(requested: unknown): boolean {
  const path = textAt(requested, 'path');
  return (
    textAt(requested, 'verb') === 'get' &&
    openAddresses.some((open) => (open.endsWith('*') ? path.startsWith(open.slice(0, -1)) : path === open))
  );
}

/** As a real server says it of a review that asks for both, or neither. */
const oneOfTheTwo = (both: boolean): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: both
    ? 'Invalid value: "": cannot be specified in combination with resourceAttributes'
    : 'Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
  field: both ? 'spec.nonResourceAttributes' : 'spec.resourceAttributes',
});

/** May the caller do this one thing? Nobody may change a world that can only be read. */
export function accessReview(user: ApiUser, review: unknown, world: World): object {
  const requested = objectAt(review, 'spec', 'resourceAttributes');
  const namespace = textAt(requested, 'namespace');
  const name = textAt(requested, 'name');
  const subresource = textAt(requested, 'subresource');
  const isResource = valueAt(review, 'spec', 'resourceAttributes') !== undefined;
  const isAddress = valueAt(review, 'spec', 'nonResourceAttributes') !== undefined;
  if (isResource === isAddress) throw invalid(accessReviewKind, '', [oneOfTheTwo(isResource)]);
  const verb = textAt(requested, 'verb');
  const allowed = isAddress
    ? mayGet(objectAt(review, 'spec', 'nonResourceAttributes'))
    : (world.write !== undefined || readingVerbs.includes(verb)) &&
      (user.allow === undefined ||
        user.allow({
          verb,
          group: textAt(requested, 'group'),
          plural: `${textAt(requested, 'resource')}${subresource === '' ? '' : `/${subresource}`}`,
          namespace: namespace === '' ? undefined : namespace,
          ...(name === '' ? {} : { name }),
        }));
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
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: openAddresses }],
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
