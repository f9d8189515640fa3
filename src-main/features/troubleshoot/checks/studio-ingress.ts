import type { Listing, ObjectOf } from '../../../cluster-model/index.ts';
import { type resources, selects, wasRead } from '../../../cluster-model/index.ts';
import { type Check, type Found, found, refOf } from './found.ts';

type Deployment = ObjectOf<typeof resources.deployments>;
type Policy = ObjectOf<typeof resources.networkPolicies>;
type IngressRule = Policy['spec']['ingress'][number];

/** The studio's port (CON-175). */
const studioPort = 8080;

/** Returns whether a Deployment is the studio: of that name, with its port. */
export function isStudio({ metadata, spec }: Deployment): boolean {
  const ports = spec.template.spec?.containers.flatMap((container) => container.ports) ?? [];
  return metadata.name === 'studio' && ports.some(({ containerPort }) => containerPort === studioPort);
}

/**
 * Finds a studio that more than the operator's pod may reach: who gets hold of an assertion could use it there (CON-175). Pods
 * that no policy selects admit everybody; policies add up, so the widest rule counts.
 */
export const studioReachable: Check = ({ listings }) =>
  wasRead(listings.networkPolicies)
    ? listings.deployments.items.filter(isStudio).flatMap((studio): Found[] => {
        const object = refOf('Deployment', studio.metadata);
        const selecting = policiesOf(studio, listings.pods, listings.networkPolicies.items);
        if (selecting.length === 0)
          return [
            found(object, `No NetworkPolicy limits who may reach port ${studioPort} of its pods`, {
              ref: 'NetworkPolicy',
            }),
          ];
        return selecting.flatMap(({ metadata, spec }) =>
          spec.ingress.flatMap((rule, index): Found[] => {
            const wider = coversPort(rule, studio) ? admits(rule) : undefined;
            return wider === undefined
              ? []
              : [
                  found(
                    object,
                    `NetworkPolicy ${metadata.name} admits ${wider} to port ${studioPort} of its pods`,
                    {
                      ref: `NetworkPolicy ${metadata.name}, spec.ingress[${index}]`,
                    },
                  ),
                ];
          }),
        );
      })
    : [];

/** Returns the policies for incoming traffic that select a Deployment's pods. */
function policiesOf(
  { metadata, spec }: Deployment,
  pods: Pick<Listing<ObjectOf<typeof resources.pods>>, 'items'>,
  policies: readonly Policy[],
): Policy[] {
  const own = spec.selector?.matchLabels ?? {};
  const labels =
    pods.items.find(
      (pod) =>
        pod.metadata.namespace === metadata.namespace &&
        Object.entries(own).every(([name, value]) => pod.metadata.labels[name] === value),
    )?.metadata.labels ?? own;
  return policies.filter(
    (policy) =>
      policy.metadata.namespace === metadata.namespace &&
      (policy.spec.policyTypes.length === 0 || policy.spec.policyTypes.includes('Ingress')) &&
      selects(policy.spec.podSelector, labels),
  );
}

function coversPort({ ports }: IngressRule, { spec }: Deployment): boolean {
  if (ports.length === 0) return true;
  const named = spec.template.spec?.containers.flatMap((container) =>
    container.ports.flatMap(({ name, containerPort }) =>
      containerPort === studioPort && name !== undefined ? [name] : [],
    ),
  );
  return ports.some(({ port, endPort }) => {
    const first = Number(port);
    return (
      port === undefined ||
      (named ?? []).includes(port) ||
      (first <= studioPort && studioPort <= (endPort ?? first))
    );
  });
}

/** Returns whom a rule admits beside pods that it names by their labels; undefined for nobody. */
function admits({ from }: IngressRule): string | undefined {
  if (from.length === 0) return 'everybody';
  for (const { ipBlock, podSelector } of from) {
    if (ipBlock !== undefined) return `every address of ${ipBlock.cidr}`;
    const isAny =
      podSelector === undefined ||
      (Object.keys(podSelector.matchLabels).length === 0 && podSelector.matchExpressions.length === 0);
    if (isAny) return 'every pod of a namespace';
  }
  return undefined;
}
