import { metricsGroup } from './built-in-kinds.ts';
import type { KubeKind } from './world.ts';

/** Returns the verbs of a kind, as in discovery; a read-only world's kinds can only be read. */
export function verbsOf({ group }: Pick<KubeKind, 'group'>, writable: boolean): readonly string[] {
  if (group === metricsGroup) return ['get', 'list'];
  return writable
    ? ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
    : ['get', 'list', 'watch'];
}
