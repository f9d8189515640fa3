import { type JsonObject, numberAt, objectAt, textAt } from '../../kube-api/object-fields.ts';

/**
 * Asks the startup and then the readiness probe of a container until they pass; true when they did, false when the signal came first.
 * `url` is where the container listens. `onStarted` is told between the two.
 */
export async function probesPass(
  container: JsonObject | undefined,
  { url, signal, onStarted }: { url: string; signal: AbortSignal; onStarted: () => Promise<void> },
): Promise<boolean> {
  await until(objectAt(container, 'startupProbe'), url, signal);
  if (signal.aborted) return false;
  await onStarted();
  await until(objectAt(container, 'readinessProbe'), url, signal);
  return !signal.aborted;
}

/** A container without the probe passes it. */
async function until(probe: JsonObject, url: string, signal: AbortSignal): Promise<void> {
  const path = textAt(probe, 'httpGet', 'path');
  if (path === '') return;
  // Where a probe does not say them (core/v1, Probe).
  const period = (numberAt(probe, 'periodSeconds') || 10) * 1000;
  const limit = (numberAt(probe, 'timeoutSeconds') || 1) * 1000;
  while (!signal.aborted && !(await passes(`${url}${path}`, limit, signal))) await pause(period, signal);
}

async function passes(address: string, limit: number, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(limit)]) });
    await answer.body?.cancel();
    return answer.status >= 200 && answer.status < 400;
  } catch {
    return false;
  }
}

/** So many ms, or until the signal. The program does not wait for it to end. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    timer.unref();
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
