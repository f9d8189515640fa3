import type { Quantities } from '#shared/api/cluster.ts';
import type { PodObject } from './kinds/pods.ts';

/**
 * Kubernetes quantities (apimachinery, pkg/api/resource): a number and a suffix, such as `250m`, `1Gi` or `1e3`. Held in
 * billionths as bigint, so that sums are exact: the API server itself keeps nothing finer.
 */
const billionth = 1_000_000_000n;

const factors: Readonly<Record<string, readonly [bigint, bigint]>> = {
  n: [1n, 1_000_000_000n],
  u: [1n, 1_000_000n],
  m: [1n, 1000n],
  '': [1n, 1n],
  k: [10n ** 3n, 1n],
  M: [10n ** 6n, 1n],
  G: [10n ** 9n, 1n],
  T: [10n ** 12n, 1n],
  P: [10n ** 15n, 1n],
  E: [10n ** 18n, 1n],
  Ki: [1n << 10n, 1n],
  Mi: [1n << 20n, 1n],
  Gi: [1n << 30n, 1n],
  Ti: [1n << 40n, 1n],
  Pi: [1n << 50n, 1n],
  Ei: [1n << 60n, 1n],
};

const written = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3})|(n|u|m|k|[MGTPE]|[KMGTPE]i)?)$/;

/** A quantity in billionths of its unit, rounded up as the API server does; undefined for what is none. */
export function parseQuantity(text: string): bigint | undefined {
  const [match, sign, whole = '', fraction = '', exponent, suffix = ''] = written.exec(text) ?? [];
  if (match === undefined || whole + fraction === '') return undefined;
  const [up, down] =
    exponent === undefined ? (factors[suffix] ?? [1n, 1n]) : powerOfTen(Number.parseInt(exponent, 10));
  const over = BigInt(whole + fraction) * billionth * up;
  const under = down * 10n ** BigInt(fraction.length);
  const size = (over + under - 1n) / under;
  return sign === '-' ? -size : size;
}

function powerOfTen(exponent: number): readonly [bigint, bigint] {
  return exponent < 0 ? [1n, 10n ** BigInt(-exponent)] : [10n ** BigInt(exponent), 1n];
}

/** Billionths as a number of whole units. */
export function toNumber(size: bigint): number {
  return Number(size / billionth) + Number(size % billionth) / 1e9;
}

/** Amounts a container requests, in billionths; unspecified ones are absent. */
export type Amounts = Readonly<Partial<Record<'cpu' | 'memory' | 'pods' | 'gpus', bigint>>>;

const units = ['cpu', 'memory', 'pods', 'gpus'] as const;

/** A resource list, such as `{cpu: "250m", memory: "1Gi"}`. Every kind of GPU counts as one. */
export function amountsOf(list: Readonly<Record<string, string>>): Amounts {
  const amounts: Partial<Record<(typeof units)[number], bigint>> = {};
  for (const name in list) {
    const unit = unitOf(name);
    if (unit === undefined) continue;
    const size = parseQuantity(list[name] ?? '');
    if (size !== undefined) amounts[unit] = (amounts[unit] ?? 0n) + size;
  }
  return amounts;
}

function unitOf(name: string): (typeof units)[number] | undefined {
  if (name === 'cpu' || name === 'memory' || name === 'pods') return name;
  // nvidia.com/gpu, amd.com/gpu, and a slice of one: nvidia.com/mig-1g.10gb.
  return name.endsWith('/gpu') || name.startsWith('nvidia.com/mig-') ? 'gpus' : undefined;
}

export function add(left: Amounts, right: Amounts): Amounts {
  return combined(left, right, (a, b) => a + b);
}

function larger(left: Amounts, right: Amounts): Amounts {
  return combined(left, right, (a, b) => (a > b ? a : b));
}

function combined(left: Amounts, right: Amounts, of: (a: bigint, b: bigint) => bigint): Amounts {
  const amounts: Partial<Record<(typeof units)[number], bigint>> = { ...left };
  for (const unit of units) {
    const size = right[unit];
    if (size !== undefined) amounts[unit] = amounts[unit] === undefined ? size : of(amounts[unit], size);
  }
  return amounts;
}

/** As answers say it: CPU in cores, memory in bytes. */
export function quantitiesOf({ cpu, memory, pods, gpus }: Amounts): Quantities {
  return {
    ...(cpu === undefined ? {} : { cpu_cores: toNumber(cpu) }),
    ...(memory === undefined ? {} : { memory_bytes: toNumber(memory) }),
    ...(pods === undefined ? {} : { pods: toNumber(pods) }),
    ...(gpus === undefined ? {} : { gpus: toNumber(gpus) }),
  };
}

/** The one of a container's two lists that is summed. */
type Side = 'requests' | 'limits';

const knownAmounts = {
  requests: new WeakMap<PodObject, Amounts>(),
  limits: new WeakMap<PodObject, Amounts>(),
};

/**
 * Returns the amounts the scheduler counts for a pod (component-helpers, resource.PodRequests): its
 * containers and sidecars together, or its largest initialisation step when that is more, plus its overhead.
 * Values set on the pod itself take precedence. Counted once for each pod object.
 */
export function podAmounts(pod: PodObject, side: Side = 'requests'): Amounts {
  const known = knownAmounts[side];
  const found = known.get(pod) ?? countAmounts(pod, side);
  known.set(pod, found);
  return found;
}

function countAmounts({ spec }: PodObject, side: Side): Amounts {
  const sizeOf = (resources: PodObject['spec']['containers'][number]['resources']): Amounts =>
    amountsOf(resources?.[side] ?? {});
  let sidecars: Amounts = {};
  let initial: Amounts = {};
  for (const container of spec.initContainers) {
    const own = sizeOf(container.resources);
    if (container.restartPolicy === 'Always') {
      sidecars = add(sidecars, own);
      initial = larger(initial, sidecars);
    } else initial = larger(initial, add(sidecars, own));
  }
  let running = sidecars;
  for (const container of spec.containers) running = add(running, sizeOf(container.resources));
  const counted = { ...larger(running, initial), ...sizeOf(spec.resources) };
  return side === 'requests' ? add(counted, amountsOf(spec.overhead)) : counted;
}
