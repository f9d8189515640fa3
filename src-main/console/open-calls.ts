import type { IncomingMessage } from 'node:http';
import type { Caller } from '#shared/api/handler.ts';
import type { Access } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import { checkRepeatedly } from '../base/repeated-check.ts';
import type { Gate } from './access.ts';

/** Interval at which the sessions and lists behind open calls are checked, in ms: a call ends within a second. */
const checkEvery = 400;
/** Most open streams of one person, or of one address on an open console, subscriptions counted. */
const maxStreamsPerPerson = 256;

type Options = {
  readonly gate: Gate;
  /** Returns the handles whose session is over. */
  readonly endedOf: (sessions: readonly string[]) => Promise<readonly string[]>;
  readonly log: { warn(fields: object, message: string): void };
};

/** The caller of a call, its class and its address. */
type Origin = {
  readonly access: Access;
  readonly caller: Caller;
  readonly request: IncomingMessage;
  /** The peer's address, which stands for the person where nobody signs in. */
  readonly address: string;
};

/** A call under way. */
export type OpenCall = {
  /** Aborts with the `ConsoleError` that the call would be answered with now: its session ended, or its list changed. */
  readonly signal: AbortSignal;
  /** Throws what the call would be answered with now. */
  recheck(): Promise<void>;
  /** Counts the call among the person's open streams. Throws `TooManyRequests` above the bound. */
  countStream(): void;
  close(): void;
};

/** The calls under way, so that each ends with the right to make it. */
export type OpenCalls = {
  open(origin: Origin): OpenCall;
  /** Stops checking. */
  close(): void;
};

type Entry = Origin & { readonly ending: AbortController };

/**
 * Keeps the calls under way and checks, while there are any, whether their callers could make them now. A store that
 * does not answer ends nothing; the next check does.
 */
export function createOpenCalls({ gate, endedOf, log }: Options): OpenCalls {
  const entries = new Set<Entry>();
  const streams = new Map<string, number>();

  /** Returns what a call would be answered with now; undefined when it may go on. */
  const refusalOf = async (
    { access, caller, request }: Entry,
    ended: readonly string[],
  ): Promise<ConsoleError | undefined> => {
    if (caller.sessionId !== undefined && ended.includes(caller.sessionId)) return sessionEnded();
    // The code host vouched for an agent when the call began, and is not asked again for it.
    if (access.kind === 'agent') return undefined;
    try {
      await gate.admit(access, caller, request);
      return undefined;
    } catch (error) {
      if (error instanceof ConsoleError && (error.name === 'NotSignedIn' || error.name === 'NotAllowed'))
        return error;
      throw error;
    }
  };

  const endedAmong = async (calls: readonly Entry[]): Promise<readonly string[]> => {
    const sessions = new Set(calls.flatMap(({ caller }) => caller.sessionId ?? []));
    return sessions.size === 0 ? [] : endedOf([...sessions]);
  };

  const stop = checkRepeatedly({
    everyMs: checkEvery,
    async check() {
      if (entries.size === 0) return;
      const here = [...entries].filter(({ ending }) => !ending.signal.aborted);
      const ended = await endedAmong(here);
      for (const entry of here) {
        const refusal = await refusalOf(entry, ended);
        if (refusal !== undefined) entry.ending.abort(refusal);
      }
    },
    failed: (error) => log.warn({ err: error }, 'the sessions of open calls could not be read'),
  });

  return {
    open(origin) {
      const entry: Entry = { ...origin, ending: new AbortController() };
      const { caller, address } = origin;
      const person = caller.email ?? address;
      let counted = false;
      entries.add(entry);
      return {
        signal: entry.ending.signal,
        async recheck() {
          const refusal = await refusalOf(entry, await endedAmong([entry]));
          if (refusal !== undefined) throw refusal;
        },
        countStream() {
          const open = streams.get(person) ?? 0;
          if (open >= maxStreamsPerPerson) throw tooManyStreams();
          counted = true;
          streams.set(person, open + 1);
        },
        close() {
          if (!entries.delete(entry) || !counted) return;
          const left = (streams.get(person) ?? 1) - 1;
          if (left === 0) streams.delete(person);
          else streams.set(person, left);
        },
      };
    },
    close: stop,
  };
}

function sessionEnded(): ConsoleError {
  return new ConsoleError('NotSignedIn', 'Your session has ended: sign in and try again.');
}

function tooManyStreams(): ConsoleError {
  return new ConsoleError(
    'TooManyRequests',
    `${maxStreamsPerPerson} event streams and followed logs of yours are open on this console: close some windows, or end programs that follow logs.`,
    { 'Retry-After': '30' },
  );
}
