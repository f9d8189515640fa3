import type { Call, Handlers } from '#shared/api/handler.ts';
import type { RouteId, RouteOf } from '#shared/api/index.ts';
import type { StreamEvent } from '#shared/api/route.ts';
import type { Bundle } from '#shared/api/targets.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { Bundles } from './bundles.ts';
import { changeEvents } from './changes.ts';
import type { TargetRegistry } from './targets.ts';
import { keepUpload } from './upload.ts';

type TargetRouteId = Extract<RouteId, `targets.${string}` | `bundles.${string}`>;

type RoutesOptions = {
  readonly registry: TargetRegistry;
  readonly bundles: Bundles;
  /**
   * Email whose session, besides that of the desktop window, may name paths on this machine: they are that
   * person's files.
   */
  readonly pathsFor: string | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** The routes of targets and bundles. */
export function targetHandlers({ registry, bundles, pathsFor, now }: RoutesOptions): Handlers<TargetRouteId> {
  const readNow = () => ({
    source: 'console',
    read_at: new Date(now()).toISOString(),
  });

  const openPath = (path: string, name: string | undefined, call: Call): Bundle => {
    const { localOperator, email } = call.caller;
    if (!localOperator && (email === undefined || email !== pathsFor)) {
      throw new ConsoleError(
        'NotAllowed',
        'A path is opened only by the person at the machine of the console: upload the file instead.',
      );
    }
    const reserved = bundles.reserve(personOf(call));
    return bundles.open(path, name ?? '', reserved);
  };

  return {
    'targets.list': async (_input, { caller }) => {
      const { items, chosen, unmeasured } = await registry.list(caller.email);
      return {
        items: [...items],
        ...(chosen === undefined ? {} : { chosen }),
        ...readNow(),
        complete: unmeasured.length === 0,
        unmeasured: [...unmeasured],
      };
    },

    'targets.select': async ({ body: { target } }, { caller }) => {
      await registry.select(target, caller.email);
      return { chosen: target };
    },

    'targets.retry': ({ body: { target } }) => registry.retry(target),

    'targets.changes': async ({ query: { target } }, call) => {
      const { cluster } = await registry.targetOf(target, call.caller);
      return changeEvents(cluster, call.lastEventId, call.signal);
    },

    'bundles.open': async ({ body, query: { name } }, call) => {
      if ('path' in body) return openPath(body.path, name, call);
      const reserved = bundles.reserve(personOf(call));
      try {
        const file = await keepUpload(body, reserved.folder, call.signal);
        return bundles.open(file, name ?? 'Uploaded bundle', reserved);
      } catch (error) {
        bundles.release(reserved);
        throw error;
      }
    },

    'bundles.list': () => ({
      items: [...bundles.list()],
      ...readNow(),
      complete: true,
      unmeasured: [],
    }),

    'bundles.progress': ({ params: { id } }, { signal }) => progressEvents(bundles, id, signal),

    'bundles.close': async ({ params: { id } }) => ({ closed: await bundles.close(id) }),
  };
}

/** A key of the person a call is made by; on an open console of the address it comes from. */
const personOf = ({ caller: { email }, address }: Call): string => email ?? address;

async function* progressEvents(
  bundles: Bundles,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent<RouteOf<'bundles.progress'>['events']>> {
  for await (const progress of bundles.progress(id, signal)) yield { event: 'progress', data: progress };
}
