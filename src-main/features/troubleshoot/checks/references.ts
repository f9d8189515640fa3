import type { MissingReference } from '../evidence/references.ts';
import { type Check, type Found, found } from './found.ts';

const of =
  (isWanted: (reference: MissingReference) => boolean): Check =>
  ({ missing }) =>
    missing.filter(isWanted).map((reference): Found => {
      const { by, container, missing: object, key, field, use } = reference;
      const where = container === undefined ? field : `${field} of container ${container}`;
      const what = key === undefined ? 'which does not exist' : `which has no key ${key}`;
      return found(by, `${where} names ${object.kind} ${object.name}, ${what}`, {
        container,
        ref: use === 'pull_secret' ? 'spec.template.spec.imagePullSecrets' : 'spec.template.spec',
      });
    });

export const referencedObjectMissing = of(({ use, key }) => use === 'object' && key === undefined);
export const referencedKeyMissing = of(({ use, key }) => use === 'object' && key !== undefined);
export const imagePullSecretMissing = of(({ use }) => use === 'pull_secret');
