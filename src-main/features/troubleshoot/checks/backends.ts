import { groupBy } from '../../../cluster-model/index.ts';
import type { Backend } from '../evidence/backends.ts';
import { environmentOf } from '../evidence/environment.ts';
import { answersOf } from '../evidence/health.ts';
import type { Reading } from '../evidence/reading.ts';
import type { Variable } from '../logs/seen.ts';
import { type Check, type Found, found } from './found.ts';

const isSet = (variable: Variable | undefined): boolean =>
  variable !== undefined && (variable.is === 'reference' || variable.value.trim() !== '');
const textOf = (variable: Variable | undefined): string | undefined =>
  variable?.is === 'value' && variable.value.trim() !== '' ? variable.value.trim() : undefined;

const each =
  (
    look: (
      backend: Backend,
      environment: ReturnType<typeof environmentOf>,
      reading: Reading,
    ) => readonly { readonly text: string; readonly ref: string }[],
  ): Check =>
  (reading) =>
    reading.backends.flatMap((backend) =>
      look(backend, environmentOf(backend, reading.listings), reading).map(
        ({ text, ref }): Found =>
          found(backend.resource, text, { owner: backend.owner, container: backend.container?.name, ref }),
      ),
    );

/** Appended by the operator after `env` (BCK-084). */
const operatorsOwn = ['COCKPIT_TENANT', 'RUNNER_ID'];

/** A value in a custom resource that the operator's own wins over; one that is the same does no harm. */
export const nameAlwaysWins = each(({ env, container }, { variables }) =>
  operatorsOwn.flatMap((name) => {
    const wanted = env.find((variable) => variable.name === name)?.value;
    if (wanted === undefined) return [];
    const live = container === undefined ? undefined : textOf(variables.get(name));
    if (live === undefined || live === wanted) return [];
    return [{ text: `spec.env sets ${name}=${wanted}; the pods have ${name}=${live}`, ref: 'spec.env' }];
  }),
);

/**
 * Another endpoint variable for inference without the only one that is read (BCK-094, which does
 * not name those that were retired).
 */
export const retiredVariable = each(({ part, container }, { variables, whole }) => {
  if (
    part === 'campaign' ||
    container === undefined ||
    !whole ||
    isSet(variables.get('INFERENCE_REMOTE_URL'))
  )
    return [];
  return [...variables.keys()]
    .filter((name) =>
      /^(?:INFERENCE|LLM|MODEL|OPENAI)_(?:[A-Z0-9]+_)*(?:URL|ENDPOINT|ADDR|ADDRESS|HOST|BASE)$/.test(name),
    )
    .map((name) => ({ text: `${name} is set, and INFERENCE_REMOTE_URL is not`, ref: `env ${name}` }));
});

/** A member of the consensus that forgets it with its process (BCK-086). */
export const raftStateInMemory = each(({ part, container }, { variables, whole }) =>
  part === 'cockpit' &&
  container !== undefined &&
  whole &&
  isSet(variables.get('RAFT_NODE_ID')) &&
  !isSet(variables.get('RAFT_DATA_DIR'))
    ? [{ text: 'RAFT_NODE_ID is set, and RAFT_DATA_DIR is not', ref: 'env RAFT_DATA_DIR' }]
    : [],
);

/** Variables that locate the appfs root (BCK-048). */
const appfsVariables = ['OBJECTSTORE_ENDPOINT', 'OBJECTSTORE_BUCKET', 'APPFS_ROOT'];

/**
 * Finds runners whose appfs root differs from that of every control plane in their namespace. Only values
 * that are known on both sides are compared; a folder of the same path may still be another volume, which
 * only the runner's own message shows.
 */
export const runnerNotSharingAppfs: Check = ({ backends, listings }) => {
  const runners = backends.filter(({ part, container }) => part === 'runner' && container !== undefined);
  if (runners.length === 0) return [];
  const planes = groupBy(
    backends.filter(({ part, container }) => part === 'cockpit' && container !== undefined),
    ({ row }) => row.namespace,
  );
  const placesOf = (backend: Backend): readonly (string | undefined)[] => {
    const { variables } = environmentOf(backend, listings);
    return appfsVariables.map((name) => textOf(variables.get(name)));
  };
  /** The places that planes of a namespace have, each with the first that has them. */
  const places = new Map<string, ReadonlyMap<string, Places>>();
  for (const [namespace, own] of planes) {
    const distinct = new Map<string, Places>();
    for (const plane of own) {
      const values = placesOf(plane);
      const key = JSON.stringify(values.map((value) => value?.replace(/\/+$/, '')));
      if (!distinct.has(key)) distinct.set(key, { plane: plane.row.name, values });
    }
    places.set(namespace, distinct);
  }
  return runners.flatMap((runner): Found[] => {
    const own = placesOf(runner);
    const differences = [...(places.get(runner.row.namespace)?.values() ?? [])].map(({ plane, values }) =>
      appfsVariables.flatMap((name, at) => {
        const [mine, other] = [own[at], values[at]];
        return mine === undefined ||
          other === undefined ||
          mine.replace(/\/+$/, '') === other.replace(/\/+$/, '')
          ? []
          : [`${name}=${mine}, and that of ${plane} is ${other}`];
      }),
    );
    const [first] = differences;
    if (first === undefined || differences.some((difference) => difference.length === 0)) return [];
    return first.map((text) =>
      found(runner.resource, text, { owner: runner.owner, container: runner.container?.name, ref: 'env' }),
    );
  });
};

type Places = { readonly plane: string; readonly values: readonly (string | undefined)[] };

/**
 * Finds sign-in pages that request tokens for a different client than the backend accepts them for (BCK-047).
 */
export const audienceDiffers = each(({ part, resource, container }, { variables, whole }, { health }) => {
  const wanted = textOf(variables.get('OIDC_CLIENT_ID'));
  if (
    part === 'campaign' ||
    container === undefined ||
    wanted === undefined ||
    !whole ||
    isSet(variables.get('OIDC_AUDIENCE'))
  )
    return [];
  const answers = answersOf(health, resource) ?? [];
  const offered =
    answers.find(({ path }) => path === '/auth/config')?.body.google_client_id ||
    textOf(variables.get('GOOGLE_CLIENT_ID'));
  return offered === undefined || offered === wanted
    ? []
    : [
        {
          text: `google_client_id is ${offered}, OIDC_CLIENT_ID is ${wanted}, and OIDC_AUDIENCE is not set`,
          ref: '/auth/config',
        },
      ];
});
