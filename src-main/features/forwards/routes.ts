import type { Kysely } from 'kysely';
import type { Forward, ForwardDefinition } from '#shared/api/forwards.ts';
import type { Call, Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { LiveCluster } from '../../sources/cluster/live/index.ts';
import { type RunningForward, startForward } from './forward.ts';
import { addForward, changeForward, type ForwardTables, readForwards, removeForward } from './store.ts';

export type ForwardParts = {
  readonly db: Kysely<ForwardTables>;
  /** A live target's cluster; throws for a name that is none. */
  readonly live: (target: string) => Promise<LiveCluster>;
  /** Whether only this machine reaches the console: a port opened on a server would be everybody's there. */
  readonly onThisMachine: boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

export type Forwards = {
  readonly handlers: Handlers<Extract<RouteId, `forwards.${string}`>>;
  close(): Promise<void>;
};

/** Forwards that are kept. */
const mostKept = 200;
const elsewhere =
  'Port forwards open a port on the machine the console runs on: they work in the desktop app, and with a console that only its own machine reaches.';

/** The port forwards of this machine: kept by name, started by hand, closed with the console. */
export function createForwards({ db, live, onThisMachine, now }: ForwardParts): Forwards {
  const running = new Map<string, RunningForward>();
  const failures = new Map<string, string>();
  let closed = false;

  const shown = (definition: ForwardDefinition): Forward => {
    const { name } = definition;
    const forward = running.get(name);
    const reason = failures.get(name);
    const none = { open: 0, opened: 0, bytes_sent: 0, bytes_received: 0 };
    if (forward === undefined)
      return { ...definition, ...none, state: reason === undefined ? 'stopped' : 'failed', reason };
    return {
      ...definition,
      ...forward.figures(),
      state: 'listening',
      address: `127.0.0.1:${forward.localPort}`,
    };
  };

  const find = async (name: string): Promise<ForwardDefinition> => {
    const found = (await readForwards(db)).find((each) => each.name === name);
    if (found === undefined) throw new ConsoleError('NotFound', `There is no port forward ${name}.`);
    return found;
  };

  const refuseElsewhere = (): void => {
    if (!onThisMachine || closed) throw new ConsoleError('Refused', elsewhere);
  };

  const start = async (definition: ForwardDefinition): Promise<ForwardDefinition> => {
    const { name, target } = definition;
    if (running.has(name)) return definition;
    failures.delete(name);
    try {
      const forward = await startForward({ definition, cluster: () => live(target), now });
      // Two starts at once: the one that came second is not used.
      if (running.has(name) || closed) {
        await forward.close();
        return definition;
      }
      running.set(name, forward);
      return { ...definition, local_port: forward.localPort };
    } catch (error) {
      failures.set(name, error instanceof Error ? error.message : 'It could not be started.');
      throw error;
    }
  };

  const stop = async (name: string): Promise<void> => {
    const forward = running.get(name);
    running.delete(name);
    failures.delete(name);
    await forward?.close();
  };

  const record = (
    call: Call,
    act: string,
    { target, namespace, kind, object, port }: ForwardDefinition,
  ): void =>
    call.record(`${act} a port forward to ${kind} ${object} in ${namespace}, port ${port}.`, {
      target,
      namespace,
      kind,
      object,
      port,
    });

  return {
    handlers: {
      'forwards.list': async () => ({
        items: (await readForwards(db)).map(shown),
        ...(onThisMachine ? {} : { unavailable: elsewhere }),
      }),
      'forwards.create': async ({ body }, call) => {
        record(call, 'Created', body);
        refuseElsewhere();
        // Says so for a name that is no live target, before anything is kept.
        await live(body.target);
        const kept = await readForwards(db);
        if (kept.length >= mostKept)
          throw new ConsoleError('Refused', `${mostKept} port forwards are kept: delete one first.`);
        if (kept.some(({ name }) => name === body.name))
          throw new ConsoleError(
            'Conflict',
            `There is a port forward ${body.name} already: choose another name.`,
          );
        const started = await start(body);
        if (!(await addForward(db, started))) {
          await stop(body.name);
          throw new ConsoleError(
            'Conflict',
            `There is a port forward ${body.name} already: choose another name.`,
          );
        }
        return shown(started);
      },
      'forwards.start': async ({ params: { name } }, call) => {
        const definition = await find(name);
        record(call, 'Started', definition);
        refuseElsewhere();
        const started = await start(definition);
        if (started.local_port !== definition.local_port) await changeForward(db, started);
        return shown(started);
      },
      'forwards.stop': async ({ params: { name } }, call) => {
        const definition = await find(name);
        record(call, 'Stopped', definition);
        await stop(name);
        return shown(definition);
      },
      'forwards.delete': async ({ params: { name } }, call) => {
        record(call, 'Deleted', await find(name));
        await stop(name);
        await removeForward(db, name);
        return { deleted: true };
      },
    },
    async close() {
      closed = true;
      await Promise.all([...running.keys()].map(stop));
    },
  };
}
