import { customVersionOf } from '../discovery.ts';
import type { StatusCause } from '../status.ts';
import type { KubeKind, KubeObject, World } from '../world.ts';

/**
 * Returns the causes for which a definition, or an object of a custom kind, is refused by rules (x-kubernetes-validations);
 * `old` is what it replaces. The evaluator is loaded with the first custom kind.
 */
export async function brokenByRules(
  world: World,
  kind: KubeKind,
  object: KubeObject,
  old: KubeObject | undefined,
): Promise<readonly StatusCause[]> {
  if (kind.plural === 'customresourcedefinitions' && kind.group === 'apiextensions.k8s.io') {
    const { brokenDefinition } = await import('./check-definition.ts');
    return brokenDefinition(object);
  }
  const version = await customVersionOf(world, kind);
  if (version === undefined) return [];
  const { brokenObject } = await import('./check-definition.ts');
  return brokenObject(version, object, old);
}
