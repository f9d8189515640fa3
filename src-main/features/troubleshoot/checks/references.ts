import { keyOf, objectIn } from '../../../cluster-model/index.ts';
import type { Reading } from '../evidence/reading.ts';
import type { MissingReference } from '../evidence/references.ts';
import { type Check, type Found, found } from './found.ts';

const of =
  (
    isWanted: (reference: MissingReference, reading: Reading) => boolean,
    describe: (reference: MissingReference) => string,
  ): Check =>
  (reading) =>
    reading.missing
      .filter((reference) => isWanted(reference, reading))
      .map((reference): Found => {
        const { by, container, missing: object, field, key, fault, use } = reference;
        const name = fault === 'absent' || key === undefined ? object.name : `${object.name}, key ${key}`;
        const where = container === undefined ? field : `${field} of container ${container}`;
        return found(by, `${where} names ${object.kind} ${object.name}, ${describe(reference)}`, {
          container,
          ref: refs[use],
          values: { cause: keyOf({ ...object, name }) },
        });
      });

const refs: Readonly<Record<MissingReference['use'], string>> = {
  object: 'spec.template.spec',
  pull_secret: 'spec.template.spec.imagePullSecrets',
  tls: 'spec.tls',
};

const absent = (): string => 'which does not exist';

export const referencedObjectMissing = of(({ use, fault }) => use === 'object' && fault === 'absent', absent);
export const referencedKeyMissing = of(
  ({ use, fault }) => use === 'object' && fault === 'key_absent',
  ({ key }) => `which has no key ${key}`,
);
/** Reports an empty value only where the workload is unhealthy: many programs accept one. */
export const referencedValueEmpty = of(
  ({ use, fault, by }, reading) => {
    const state = reading.workloadOf(by)?.row.state;
    return use === 'object' && fault === 'key_empty' && (state === 'failing' || state === 'degraded');
  },
  ({ key }) => `whose key ${key} is empty`,
);
export const imagePullSecretMissing = of(
  ({ use, fault }) => use === 'pull_secret' && fault === 'absent',
  absent,
);
export const imagePullSecretWrongType = of(
  ({ use, fault }) => use === 'pull_secret' && fault === 'wrong_type',
  ({ type }) => `which is of type ${type}: the kubelet takes kubernetes.io/dockerconfigjson`,
);

/** Time a certificate issuer may take for a new Ingress, in ms. */
const issuingLimit = 10 * 60_000;

export const ingressTlsSecretMissing = of(({ use, fault, by }, { listings, now }) => {
  const ingress = objectIn(listings.ingresses.items, by);
  const age = now - Date.parse(ingress?.metadata.creationTimestamp ?? '');
  return use === 'tls' && fault === 'absent' && !(age < issuingLimit);
}, absent);
export const ingressTlsSecretUnusable = of(
  ({ use, fault }) => use === 'tls' && fault === 'wrong_type',
  ({ type }) => `which is of type ${type} and holds no tls.crt with its tls.key`,
);
