import { errorMessage } from '../../../../base/error-message.ts';
import { redactText } from '../../../../cluster-model/index.ts';
import type { ObjectOf, pods } from '../../../../cluster-model/kinds/index.ts';
import type { Cluster, LogRead, LogRequest } from '../../types.ts';
import type { TarWriter } from './tar-writer.ts';

/** Limits for each container's log: a support bundle's defaults (troubleshoot, pkg/collect/logs.go). */
const newestLines = 10_000;
const largestLog = 5_000_000;
/** Timeout for one log, in ms. */
const logTime = 60_000;

type Pod = ObjectOf<typeof pods>;

/** Writes the logs of all containers of a pod, and the reason of each that could not be read. Returns how many. */
export async function captureLogs(
  cluster: Cluster,
  tar: TarWriter,
  root: string,
  { metadata, spec, status }: Pod,
  signal: AbortSignal,
): Promise<number> {
  const namespace = metadata.namespace ?? '';
  const statuses = [...status.containerStatuses, ...status.initContainerStatuses];
  let logs = 0;
  for (const { name: container } of [...spec.initContainers, ...spec.containers]) {
    const restarts = statuses.find(({ name }) => name === container)?.restartCount ?? 0;
    const base = `${root}/cluster-resources/pods/logs/${namespace}/${metadata.name}/${container}`;
    for (const previous of restarts > 0 ? [false, true] : [false]) {
      const request = { namespace, pod: metadata.name, container, previous, tail: newestLines };
      const read = await textOf(cluster, request, signal);
      signal.throwIfAborted();
      if (read.state === 'read') {
        await tar.add(`${base}${previous ? '-previous' : ''}.log`, read.text);
        logs += 1;
      } else if (!previous) {
        await tar.add(`${base}-logs-errors.log`, read.reason);
      }
    }
  }
  return logs;
}

type LogText =
  | { readonly state: 'read'; readonly text: string }
  | { readonly state: 'not_read'; readonly reason: string };

async function textOf(
  cluster: Cluster,
  request: Omit<LogRequest, 'signal'>,
  signal: AbortSignal,
): Promise<LogText> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(logTime)]);
  try {
    const read: LogRead = await cluster.logs({ ...request, signal: within });
    if (read.state !== 'read') return { state: 'not_read', reason: read.reason };
    return { state: 'read', text: redactText((await newestBytes(read.bytes)).toString('utf8')) };
  } catch (error) {
    return { state: 'not_read', reason: errorMessage(error) };
  }
}

/** The end of a log, from a whole line on. */
async function newestBytes(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  let kept: Uint8Array[] = [];
  let length = 0;
  let isCut = false;
  for await (const piece of bytes) {
    kept.push(piece);
    length += piece.length;
    if (length < 2 * largestLog) continue;
    kept = [Buffer.concat(kept).subarray(-largestLog)];
    length = largestLog;
    isCut = true;
  }
  const whole = Buffer.concat(kept);
  const newest = whole.subarray(-largestLog);
  return isCut || newest.length < whole.length ? newest.subarray(newest.indexOf(0x0a) + 1) : newest;
}
