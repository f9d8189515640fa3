import { stat } from 'node:fs/promises';
import type { AuditDetail, Call, Handlers } from '#shared/api/handler.ts';
import type { RouteId, RouteOf } from '#shared/api/index.ts';
import type { StreamEvent } from '#shared/api/route.ts';
import type { Bundle } from '#shared/api/targets.ts';
import { ConsoleError } from '#shared/errors.ts';
import { type Bundles, noBundle, type OwnedBundle } from './bundles.ts';
import { changeEvents } from './changes.ts';
import type { TargetRegistry } from './targets.ts';
import { keepUpload } from './upload.ts';

type TargetRouteId = Extract<RouteId, `targets.${string}` | `bundles.${string}`>;

type RoutesOptions = {
  readonly registry: TargetRegistry;
  readonly bundles: Bundles;
  /** Reads the list of session admins anew. */
  readonly isSessionAdmin: (email: string) => Promise<boolean>;
  /**
   * Email whose session, besides that of the desktop window, may name paths on this machine: they are that
   * person's files.
   */
  readonly pathsFor: string | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** The routes of targets and bundles. */
export function targetHandlers({
  registry,
  bundles,
  isSessionAdmin,
  pathsFor,
  now,
}: RoutesOptions): Handlers<TargetRouteId> {
  const readNow = () => ({
    source: 'console',
    read_at: new Date(now()).toISOString(),
  });

  const openPath = (path: string, name: string | undefined, call: Call): Bundle => {
    const { localOperator, email } = call.caller;
    if (!localOperator && (email === undefined || email !== pathsFor)) {
      throw new ConsoleError(
        'NotAllowed',
        "Only the person at the console's machine can open a path: upload the file instead.",
      );
    }
    const reserved = bundles.reserve(personOf(call));
    return recordOpened(bundles.open(path, name ?? '', reserved), { path }, call);
  };

  /** Returns whether a person may close anybody's bundle, without asking where all are their own. */
  const closesAll = async ({ caller: { localOperator, email } }: Call): Promise<boolean> =>
    localOperator || (email !== undefined && (await isSessionAdmin(email)));

  /** Returns what says of a bundle's owner whether the caller may close the bundle. */
  const closer = async (call: Call): Promise<(owner: string) => boolean> => {
    const person = personOf(call);
    const owners = bundles.list().map(({ owner }) => owner);
    const all = owners.some((owner) => owner !== person) && (await closesAll(call));
    return (owner) => all || owner === person;
  };

  return {
    'targets.list': async (_input, call) => {
      const { items, chosen, unmeasured } = await registry.list(call.caller.email);
      const mayClose = await closer(call);
      const owners = new Map(bundles.list().map(({ target, owner }) => [target, owner]));
      return {
        items: items.map((item) => {
          const owner = owners.get(item.id);
          return owner === undefined ? item : { ...item, closable: mayClose(owner) };
        }),
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
        const { size: bytes } = await stat(file);
        return recordOpened(bundles.open(file, name ?? 'Uploaded bundle', reserved), { bytes }, call);
      } catch (error) {
        bundles.release(reserved);
        throw error;
      }
    },

    'bundles.list': async (_input, call) => {
      const mayClose = await closer(call);
      return {
        items: bundles.list().map((bundle) => seenBundle(bundle, mayClose(bundle.owner))),
        ...readNow(),
        complete: true,
        unmeasured: [],
      };
    },

    'bundles.progress': ({ params: { id } }, { signal }) => progressEvents(bundles, id, signal),

    'bundles.close': async ({ params: { id } }, call) => {
      const bundle = bundles.list().find((other) => other.id === id);
      if (bundle === undefined) throw noBundle(id);
      if (bundle.owner !== personOf(call) && !(await closesAll(call)))
        throw new ConsoleError(
          'NotAllowed',
          `The bundle ${bundle.name} was opened by someone else: only they or a member of CONSOLE_SESSION_ADMINS can close it.`,
        );
      if (!(await bundles.close(id))) throw noBundle(id);
      call.record(`The bundle ${bundle.name} was closed.`, { name: bundle.name, owner: bundle.owner });
      return { closed: true };
    },
  };
}

/** Returns a bundle as a caller sees it: who else opened it is not told. */
function seenBundle({ owner: _owner, ...bundle }: OwnedBundle, closable: boolean): Bundle {
  return { ...bundle, closable };
}

function recordOpened(bundle: OwnedBundle, origin: AuditDetail, call: Call): Bundle {
  const { id, name } = bundle;
  call.record(`The bundle ${name} was opened.`, { bundle: id, name, ...origin });
  return seenBundle(bundle, true);
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
