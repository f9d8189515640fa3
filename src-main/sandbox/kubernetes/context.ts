import { createHash } from 'node:crypto';
import { type KubeObject, rfc3339 } from '../../kube-api/index.ts';
import type { MeshCa } from './mesh-cas.ts';
import type { ClusterSeed, WorkloadSeed } from './seed-schema.ts';

/** The context everything in the estate is made from. */
export type EstateContext = {
  readonly seed: ClusterSeed;
  /** Epoch ms: when the sandbox started. */
  readonly start: number;
  /** Whole name of an image of the code host's repository, so many builds behind its newest. */
  readonly image: (repository: string, behind: number) => string;
  /** By namespace. */
  readonly meshCas: ReadonlyMap<string, MeshCa>;
};

/** Objects with the logs of the containers among them, by `namespace/pod/container` and `.../previous`. */
export type Made = {
  readonly objects: readonly KubeObject[];
  readonly logs: Readonly<Record<string, string>>;
};

/** RFC 3339, so long before the start. */
export function ago({ start }: EstateContext, ms: number): string {
  return rfc3339(start - ms);
}

/** The same letters for the same words, as Kubernetes ends the names of pods. */
export function suffix(length: number, ...parts: readonly (string | number)[]): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
  const digest = createHash('sha256').update(parts.join('\n')).digest();
  return [...digest.subarray(0, length)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

/** A number from 0 to 1, the same for the same words. */
export function share(...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(parts.join('\n')).digest().readUInt16BE() / 0xffff;
}

export function imageOf({ image }: EstateContext, workload: WorkloadSeed): string {
  const { literal, image: repository = workload.name } = workload;
  if (literal !== undefined) return literal;
  const name = image(repository, workload.behind);
  // A tag that was never pushed.
  return workload.missing_tag ? `${name.slice(0, name.lastIndexOf(':'))}:sha-0000000` : name;
}

/** Log lines as a container runtime keeps them, each with its time, the last one so long before the start. */
export function logText(
  { start }: EstateContext,
  lines: readonly string[],
  options: { readonly ended: number; readonly step?: number },
): string {
  const { ended, step = 400 } = options;
  return lines
    .map((line, index) => {
      const at = new Date(start - ended - (lines.length - 1 - index) * step).toISOString();
      return `${at} ${line}\n`;
    })
    .join('');
}

/** `Mi` and `Gi` of memory, `m` and whole ones of CPU, as a number. */
export function quantity(text: string): number {
  const [, number = '0', unit = ''] = /^([\d.]+)(\w*)$/.exec(text) ?? [];
  const factor = { '': 1, m: 0.001, Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3 }[unit];
  if (factor === undefined) throw new Error(`the seed has a quantity of an unknown unit: ${text}`);
  return Number(number) * factor;
}
