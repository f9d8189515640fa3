import type { Allocation } from '#shared/api/fleet.ts';
import { formatBytes, formatCores, formatCount } from '../../components/format-quantity.ts';
import type { FinopsAnswer } from './finops-query.ts';

/** Resources that are allocated. */
export const resources = ['cpu', 'memory', 'gpu'] as const;
export type Resource = (typeof resources)[number];

type Shown = {
  readonly name: string;
  of(allocation: Allocation): number;
  /** Returns the total of all nodes; undefined if it was not read. */
  whole(answer: FinopsAnswer): number | undefined;
  format(amount: number): string;
};

/** Each resource: its name, how much of it somebody asks for, how much there is, and its unit. */
export const compute: Readonly<Record<Resource, Shown>> = {
  cpu: {
    name: 'CPU',
    of: ({ cpu_cores }) => cpu_cores,
    whole: ({ allocatable }) => allocatable?.cpu_cores,
    format: formatCores,
  },
  memory: {
    name: 'Memory',
    of: ({ memory_bytes }) => memory_bytes,
    whole: ({ allocatable }) => allocatable?.memory_bytes,
    format: formatBytes,
  },
  gpu: {
    name: 'GPUs',
    of: ({ gpus }) => gpus,
    whole: ({ allocatable }) => allocatable?.gpus,
    format: (gpus) => formatCount(gpus, 'GPU'),
  },
};

/** Sums the requests of a list. Every pod counts once: pods without the label have a row of their own. */
export const requestedOf = (allocations: readonly Allocation[], resource: Resource): number =>
  allocations.reduce((sum, allocation) => sum + compute[resource].of(allocation), 0);

/** The share of `whole` that `amount` is; undefined when there is none to share. */
export const shareOf = (amount: number, whole: number | undefined): number | undefined =>
  whole === undefined || whole <= 0 ? undefined : amount / whole;

/** Most first; what carries no label last, since it is nobody's. */
export const mostFirst = (allocations: readonly Allocation[], resource: Resource): readonly Allocation[] =>
  [...allocations].sort(
    (a, b) =>
      Number(a.name === undefined) - Number(b.name === undefined) ||
      compute[resource].of(b) - compute[resource].of(a) ||
      (a.name ?? '').localeCompare(b.name ?? ''),
  );
