import { rfc3339 } from './ages.ts';
import { isJsonObject, listAt, objectAt, textAt } from './object-fields.ts';
import type { KubeKind, KubeObject } from './world.ts';

/** The kinds that a CustomResourceDefinition adds, one for each version it serves. */
export function customKinds(definition: KubeObject): KubeKind[] {
  const names = objectAt(definition, 'spec', 'names');
  const short = Array.isArray(names.shortNames)
    ? names.shortNames.filter((name) => typeof name === 'string')
    : [];
  return listAt(definition, 'spec', 'versions')
    .filter(({ served }) => served === true)
    .map((version) => ({
      group: textAt(definition, 'spec', 'group'),
      version: textAt(version, 'name'),
      plural: textAt(names, 'plural'),
      kind: textAt(names, 'kind'),
      namespaced: textAt(definition, 'spec', 'scope') === 'Namespaced',
      ...(short.length === 0 ? {} : { shortNames: short }),
    }));
}

/** Returns a definition's entry for one version; undefined when it does not have it. */
export function customVersion(definition: KubeObject, version: string) {
  return listAt(definition, 'spec', 'versions').find(({ name }) => name === version);
}

/** A definition with the conditions that say its kind is served, which a real server adds soon after its creation. */
export function withEstablished(object: KubeObject, now: number): KubeObject {
  if (object.kind !== 'CustomResourceDefinition') return object;
  const known = listAt(object, 'status', 'conditions');
  if (known.some(({ type }) => type === 'Established')) return object;
  const lastTransitionTime = rfc3339(now);
  const met = (type: string, reason: string, message: string) => ({
    type,
    status: 'True',
    lastTransitionTime,
    reason,
    message,
  });
  const names = objectAt(object, 'spec', 'names');
  return {
    ...object,
    status: {
      conditions: [
        met('NamesAccepted', 'NoConflicts', 'no conflicts found'),
        met('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
      ],
      acceptedNames: isJsonObject(names) ? names : {},
      storedVersions: listAt(object, 'spec', 'versions')
        .filter(({ storage }) => storage === true)
        .map((version) => textAt(version, 'name')),
    },
  };
}
