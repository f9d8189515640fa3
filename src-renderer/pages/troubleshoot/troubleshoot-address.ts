import type { ObjectRef } from '#shared/api/cluster.ts';
import type { Evidence } from '#shared/api/troubleshoot.ts';
import type { PageAddress } from '#shared/page-address.ts';
import { addressWith } from '../../core/address-with.ts';
import type { Address } from '../../core/page-address.ts';

/** The parts of the address that the findings are narrowed and opened by. */
type FindingsChange = {
  readonly q?: string | undefined;
  readonly namespace?: string | undefined;
  readonly state?: string | undefined;
  readonly record?: string | undefined;
};

/** The findings, narrowed and opened otherwise than the address has it. */
export const findingsAddress = (address: Address, change: FindingsChange): PageAddress =>
  addressWith(address, { section: undefined, ...change, tab: 'troubleshoot', panel: undefined });

const within = (target: string | null): PageAddress => (target === null ? {} : { target });

/** A panel of the page. */
export type Panel = 'findings' | 'catalogue' | 'requirements';

/** Returns the address of a panel with nothing narrowed; `record` is the symptom or the requirement that is open in it. */
export const panelAddress = (panel: Panel, target: string | null, record?: string): PageAddress => ({
  tab: 'troubleshoot',
  ...(panel !== 'findings' && { panel }),
  ...(record !== undefined && { record }),
  ...within(target),
});

/** The page that shows an object; undefined where none does. */
export function objectAddress(
  { kind, name, namespace }: ObjectRef,
  target: string | null,
): PageAddress | undefined {
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

const openLabels: Readonly<Record<string, string>> = {
  nodes: 'Open the node',
  services: 'Open the service',
  controlPlanes: 'Open the control plane',
};

/** True for a log of the run before: as a live cluster's is named, or as the files of a bundle are. */
const isPrevious = (ref: string): boolean => /\(previous\)$|[/-]previous\.log$/.test(ref);

/** Returns a labelled link to the page that shows the origin of evidence; undefined if no page does. */
export function evidenceAddress(
  { kind, object, container, ref, line }: Evidence,
  { target, fixed }: Shown,
): { readonly to: PageAddress; readonly label: string } | undefined {
  if (object === undefined) return undefined;
  if (kind === 'log' && object.kind === 'Pod' && object.namespace !== undefined) {
    const to = {
      tab: 'logs',
      namespace: object.namespace,
      name: object.name,
      ...(container !== undefined && { container }),
      ...(isPrevious(ref) && { previous: 'true' }),
      ...(fixed && line !== undefined && { record: String(line) }),
      ...within(target),
    };
    return { to, label: 'Open the log' };
  }
  const to = objectAddress(object, target);
  if (to === undefined) return undefined;
  // The page of a namespace shows any object of it as it is.
  if (to.tab === 'namespaces')
    return { to: { ...to, kind: object.kind, name: object.name }, label: 'Open the YAML' };
  return { to, label: openLabels[to.tab ?? ''] ?? 'Open' };
}
