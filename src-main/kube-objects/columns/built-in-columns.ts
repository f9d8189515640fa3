import { age, type Column, createdAt, name } from './column.ts';
import { coreColumns } from './core-columns.ts';
import { networkColumns } from './network-columns.ts';
import { platformColumns } from './platform-columns.ts';
import { workloadColumns } from './workload-columns.ts';

/** The columns of a kind of Kubernetes itself, as its server prints them (pkg/printers/internalversion). */
export function builtInColumns({
  group,
  plural,
}: {
  readonly group: string;
  readonly plural: string;
}): readonly Column[] {
  return columns[group === '' ? plural : `${plural}.${group}`] ?? [name, createdAt];
}

/** Returns whether a group belongs to Kubernetes itself: no definition of a custom kind can add to it. */
export function isBuiltInGroup(group: string): boolean {
  return group === '' || !group.includes('.') || builtInGroups.has(group);
}

/** Columns of a custom kind without its own. */
export const plainColumns: readonly Column[] = [name, { ...age, type: 'date' }];

const columns = { ...coreColumns, ...workloadColumns, ...networkColumns, ...platformColumns };

const builtInGroups = new Set(
  Object.keys(columns)
    .map((key) => key.slice(key.indexOf('.') + 1))
    .filter((group) => group.endsWith('.k8s.io')),
);
