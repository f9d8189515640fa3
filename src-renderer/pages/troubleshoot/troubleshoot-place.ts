import type { ObjectRef } from '#shared/api/cluster.ts';
import type { Evidence } from '#shared/api/troubleshoot.ts';
import type { Place } from '#shared/place.ts';
import type { Address } from '../../core/place.ts';
import { placeWith } from '../../core/place-with.ts';

/** The parts of the address that the findings are narrowed and opened by. */
type FindingsChange = {
  readonly q?: string | undefined;
  readonly namespace?: string | undefined;
  readonly state?: string | undefined;
  readonly record?: string | undefined;
};

/** The findings, narrowed and opened otherwise than the address has it. */
export const findingsPlace = (address: Address, change: FindingsChange): Place =>
  placeWith(address, { section: undefined, ...change, tab: 'troubleshoot', panel: undefined });

const within = (target: string | null): Place => (target === null ? {} : { target });

/** The page with nothing narrowed: its findings, or its catalogue with one symptom open or none. */
export const panelPlace = (
  panel: 'findings' | 'catalogue',
  target: string | null,
  symptom?: string,
): Place => ({
  tab: 'troubleshoot',
  ...(panel === 'catalogue' && { panel }),
  ...(symptom !== undefined && { record: symptom }),
  ...within(target),
});

/** The page that shows an object; undefined where none does. */
export function objectPlace({ kind, name, namespace }: ObjectRef, target: string | null): Place | undefined {
  const there = within(target);
  if (kind === 'Node') return { tab: 'nodes', record: name, ...there };
  if (kind === 'Namespace') return { tab: 'namespaces', record: name, ...there };
  if (namespace === undefined) return undefined;
  switch (kind) {
    case 'Service':
      return { tab: 'services', record: `${namespace}/${name}`, ...there };
    case 'CockpitControlPlane':
    case 'CampaignControlPlane':
    case 'ClientInstance':
      return { tab: 'controlPlanes', record: `${kind}/${namespace}/${name}`, ...there };
    default:
      return { tab: 'namespaces', record: namespace, ...there };
  }
}

type Shown = {
  readonly target: string | null;
  /** True for a bundle: lines of a live log are counted from wherever its reading began. */
  readonly fixed: boolean;
};

const openWords: Readonly<Record<string, string>> = {
  nodes: 'Open the node',
  services: 'Open the service',
  controlPlanes: 'Open the control plane',
};

/** True for a log of the run before: as a live cluster's is named, or as the files of a bundle are. */
const isPrevious = (ref: string): boolean => /\(previous\)$|[/-]previous\.log$/.test(ref);

/** Where the console shows what evidence was taken from, and in words; undefined where no page does. */
export function evidencePlace(
  { kind, object, container, ref, line }: Evidence,
  { target, fixed }: Shown,
): { readonly place: Place; readonly words: string } | undefined {
  if (object === undefined) return undefined;
  if (kind === 'log' && object.kind === 'Pod' && object.namespace !== undefined) {
    const place = {
      tab: 'logs',
      namespace: object.namespace,
      name: object.name,
      ...(container !== undefined && { container }),
      ...(isPrevious(ref) && { previous: 'true' }),
      ...(fixed && line !== undefined && { record: String(line) }),
      ...within(target),
    };
    return { place, words: 'Open the log' };
  }
  const place = objectPlace(object, target);
  if (place === undefined) return undefined;
  // The page of a namespace shows any object of it as it is.
  if (place.tab === 'namespaces')
    return { place: { ...place, kind: object.kind, name: object.name }, words: 'Open the YAML' };
  return { place, words: openWords[place.tab ?? ''] ?? 'Open' };
}
