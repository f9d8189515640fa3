import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import { matches } from '../network/label-index.ts';
import type { ReadControlPlane } from './control-planes.ts';

type ServiceObject = ObjectOf<typeof resources.services>;

/** The service of a control plane: the one of its name, else the one that selects its Deployment's pods. */
export function serviceOf(
  { row, deployment }: ReadControlPlane,
  services: readonly ServiceObject[],
): ServiceObject | undefined {
  const near = services.filter(({ metadata }) => metadata.namespace === row.namespace);
  const podLabels = deployment?.spec.template.metadata?.labels ?? {};
  return (
    near.find(({ metadata }) => metadata.name === row.name) ??
    near.find(({ spec }) => matches(spec.selector, podLabels))
  );
}
