import { randomBytes } from 'node:crypto';
import type { Call, Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { ConsoleError } from '#shared/errors.ts';
import { resources } from '../../cluster-model/index.ts';
import type { Contexts } from '../../sources/cluster/live/index.ts';
import type { Attachments } from './attached.ts';
import { type Given, namedFile, readGiven } from './given-kubeconfig.ts';

export type KubeconfigHandlers = Handlers<Extract<RouteId, `kubeconfigs.${string}`>>;

export type KubeconfigOptions = {
  readonly attachments: Attachments;
  /** The ways into clusters of one file, for trying it out. */
  readonly contextsOf: (file: string) => Contexts;
  /** Every way into a cluster, with the file it was attached by. */
  readonly contexts: Pick<Contexts, 'list'>;
  /** Called with the targets that were taken away. */
  readonly onDetach: (targets: readonly string[]) => void;
  /** Email that may name paths on this machine, besides the desktop window. */
  readonly pathsFor: string | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Most kubeconfigs attached at a time. */
const mostAttached = 32;

/** The routes of attached kubeconfigs. */
export function kubeconfigHandlers(options: KubeconfigOptions): KubeconfigHandlers {
  const { attachments, now } = options;

  const ownsMachine = ({ caller: { localOperator, email } }: Call): boolean =>
    localOperator || (email !== undefined && email === options.pathsFor);

  /** Calls `use` with the file of what was given; content is a file of the console's own for as long as that takes. */
  const withFile = async <T>(
    given: Given,
    call: Call,
    use: (file: { readonly path: string; readonly draft: string | undefined; keep(): void }) => Promise<T>,
  ): Promise<T> => {
    if ('path' in given) {
      if (!ownsMachine(call))
        throw new ConsoleError(
          'NotAllowed',
          "Only the person at the console's machine can add a kubeconfig by path: paste or upload it instead.",
        );
      return use({ path: await namedFile(given.path), draft: undefined, keep: () => undefined });
    }
    const { id, path } = attachments.draft(given.content);
    let kept = false;
    try {
      return await use({
        path,
        draft: id,
        keep() {
          kept = true;
        },
      });
    } finally {
      if (!kept) attachments.discard(id);
    }
  };

  const targetsOf = async (path: string): Promise<string[]> =>
    (await options.contexts.list()).filter(({ file }) => file === path).map(({ name }) => name);

  return {
    'kubeconfigs.list': async () => ({
      items: await Promise.all(
        attachments.list().map(async ({ id, kind, path, at, by }) => ({
          id,
          kind,
          targets: await targetsOf(path),
          attached_at: new Date(at).toISOString(),
          ...(by === undefined ? {} : { attached_by: by }),
        })),
      ),
    }),

    'kubeconfigs.check': ({ body }, call) =>
      withFile(body, call, async ({ path, draft }) => {
        const { contexts, current } = await readGiven(path, {
          kept: draft !== undefined,
          ownsMachine: ownsMachine(call),
        });
        call.record(`Checked a kubeconfig with ${contexts.length} contexts.`, givenDetail(body));
        return { contexts, ...(current === undefined ? {} : { current }) };
      }),

    'kubeconfigs.attach': ({ body: { context, ...given } }, call) =>
      withFile(given, call, async ({ path, draft, keep }) => {
        call.record('A kubeconfig to add.', { ...givenDetail(given), context });
        const read = await readGiven(path, { kept: draft !== undefined, ownsMachine: ownsMachine(call) });
        const wanted = read.contexts.find(({ name }) => name === context);
        if (wanted === undefined)
          throw new ConsoleError('BadInput', `The kubeconfig has no context ${context}.`);
        // The whole file is attached, so what may not be attached may not be in it.
        const refused = ownsMachine(call) ? wanted : (read.contexts.find(({ fault }) => fault) ?? wanted);
        if (refused.fault !== undefined)
          throw new ConsoleError('Refused', `Nothing was attached: ${refused.fault}`);
        const already = attachments.list();
        if (already.some((other) => other.path === path))
          throw new ConsoleError('Conflict', `${path} is already attached.`);
        if (already.length >= mostAttached)
          throw new ConsoleError('Conflict', `${mostAttached} kubeconfigs are attached: detach one first.`);
        const { state, detail, version } = await tried(options.contextsOf(path), context, now);
        keep();
        const id = draft ?? randomBytes(8).toString('hex');
        const { email } = call.caller;
        attachments.add({
          id,
          kind: draft === undefined ? 'path' : 'kept',
          path,
          at: now(),
          ...(email === undefined ? {} : { by: email }),
        });
        const index = read.contexts.findIndex(({ name }) => name === context);
        const target = (await targetsOf(path))[index] ?? context;
        call.record(`Attached the kubeconfig: ${target} answered.`, {
          server: wanted.server ?? '',
          contexts: read.contexts.map(({ name }) => name),
          ...(wanted.runs === undefined ? {} : { runs: wanted.runs.split(' ')[0] ?? '' }),
        });
        return {
          id,
          target,
          state,
          ...(detail === undefined ? {} : { detail }),
          ...(version === undefined ? {} : { version }),
        };
      }),

    'kubeconfigs.detach': async ({ params: { id } }, { record }) => {
      const found = attachments.list().find((item) => item.id === id);
      if (found === undefined)
        throw new ConsoleError('NotFound', `There is no attached kubeconfig ${id}: see the list.`);
      const targets = await targetsOf(found.path);
      attachments.remove(id);
      options.onDetach(targets);
      record(`Detached a kubeconfig: ${targets.join(', ')}.`, { targets });
      return { detached: true };
    },
  };
}

/** Contacts a context once. Throws `Refused` with the reason when it does not answer. */
async function tried(contexts: Contexts, context: string, now: () => number) {
  const cluster = await contexts.open(context, { writable: () => false, namespaces: () => [], now });
  try {
    await cluster.list(resources.namespaces);
    const status = cluster.status();
    if (status.state !== 'ready' && status.state !== 'partly')
      throw new ConsoleError(
        'Refused',
        `Nothing was attached: ${status.detail ?? `${context} did not answer within 10 s.`}`,
      );
    return status;
  } finally {
    cluster.close();
  }
}

function givenDetail(given: Given): { path: string } | { characters: number } {
  return 'path' in given ? { path: given.path } : { characters: given.content.length };
}
