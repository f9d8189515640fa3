import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import { objectIn } from '../listings.ts';
import { matches } from '../network/label-index.ts';
import type { ReadControlPlane } from './control-planes.ts';

type ServiceObject = ObjectOf<typeof resources.services>;

/** The service of a control plane: the one of its name, else the one that selects its Deployment's pods. */
export function serviceOf(
  { row, deployment }: ReadControlPlane,
  services: readonly ServiceObject[],
): ServiceObject | undefined {
  return objectIn(services, row) ?? selecting(services, row.namespace, deployment);
}

type Place = { readonly service: ServiceObject; readonly at: number };

/** Services by namespace and the first label that they select, made once for the same services. */
const indexes = new WeakMap<readonly ServiceObject[], ReadonlyMap<string, readonly Place[]>>();

function selecting(
  services: readonly ServiceObject[],
  namespace: string,
  deployment: ReadControlPlane['deployment'],
): ServiceObject | undefined {
  let index = indexes.get(services);
  if (index === undefined) {
    index = bySelector(services);
    indexes.set(services, index);
  }
  const podLabels = deployment?.spec.template.metadata?.labels ?? {};
  const found = Object.entries(podLabels).flatMap(
    ([name, value]) =>
      index
        .get(`${namespace} ${name}=${value}`)
        ?.find(({ service }) => matches(service.spec.selector, podLabels)) ?? [],
  );
  return found.toSorted((a, b) => a.at - b.at)[0]?.service;
}

function bySelector(services: readonly ServiceObject[]): ReadonlyMap<string, readonly Place[]> {
  const index = new Map<string, Place[]>();
  for (const [at, service] of services.entries()) {
    const [first] = Object.entries(service.spec.selector);
    if (first === undefined) continue;
    const key = `${service.metadata.namespace ?? ''} ${first[0]}=${first[1]}`;
    const own = index.get(key);
    if (own === undefined) index.set(key, [{ service, at }]);
    else own.push({ service, at });
  }
  return index;
}
