import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { MeshIdentity } from '../../mesh/index.ts';
import type { BackendLog } from '../../serving/index.ts';
import { type Etcd, startEtcd } from './etcd.ts';
import type { RaftConfig } from './raft-config.ts';

export type { RaftConfig } from './raft-config.ts';

export type Consensus = {
  /** Returns the member's health, with a sentence (BCK-016). */
  health(): Promise<{ readonly ok: boolean; readonly detail: string }>;
  /** Returns whether this member leads. */
  leads(): Promise<boolean>;
  /** Process id of the engine now. */
  enginePid(): number;
  close(): Promise<void>;
};

export type ConsensusOptions = {
  readonly config: RaftConfig;
  readonly mesh: MeshIdentity['files'];
  /** Epoch ms. */
  readonly now: () => number;
  /** Timeout for opening the state, in milliseconds; default 60 s. */
  readonly startMs?: number | undefined;
  readonly log: BackendLog;
};

/** Time a member may be without a leader (BCK-091). */
const graceMs = 30_000;
/** Timeout for a status query: below the 5 s of a probe (BCK-038). */
const queryMs = 2000;
const pollMs = 1000;
const startMs = 60_000;
/** Pauses before an engine that ended is started again, in milliseconds. */
const pauses = [1000, 2000, 5000, 15_000, 30_000];

/** Schema of etcd's status answer, in which 64-bit numbers are strings and zeros are omitted. */
const statusAnswer = z.object({
  header: z.object({ member_id: z.string() }),
  leader: z.string().default('0'),
});
type Status = { readonly member: string; readonly leader: string | undefined };

/**
 * Makes this process a member: etcd runs as its child, and is started again when it ends. Its status is asked every second, so that the
 * time without a leader is known when readiness is asked. Throws `StartupRefused` when the state cannot be opened.
 */
export async function joinConsensus(options: ConsensusOptions): Promise<Consensus> {
  const { now, log } = options;
  const closing = new AbortController();
  const start = (): Promise<Etcd> =>
    startEtcd({ ...options, startMs: options.startMs ?? startMs, signal: closing.signal });
  let engine = await start();
  let leaderlessSince: number | undefined = now();

  const query = async (): Promise<Status | undefined> => {
    const status = await readStatus(engine.clientUrl);
    if (status === undefined) return undefined;
    if (status.leader !== undefined) leaderlessSince = undefined;
    else leaderlessSince ??= now();
    return status;
  };
  // Readiness is open to everyone: however many ask, one query is under way.
  let pending: Promise<Status | undefined> | undefined;
  const status = (): Promise<Status | undefined> => {
    pending ??= query().finally(() => {
      pending = undefined;
    });
    return pending;
  };
  const poll = setInterval(() => void status(), pollMs);

  const supervise = async (): Promise<void> => {
    for (let failures = 0; ; failures += 1) {
      const why = await engine.ended;
      if (closing.signal.aborted) return;
      log.error({ why }, 'the raft engine ended and is started again');
      const pause = pauses[Math.min(failures, pauses.length - 1)];
      await setTimeout(pause, undefined, { signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) return;
      try {
        engine = await start();
        failures = 0;
      } catch (error) {
        log.error({ err: error }, 'the raft engine could not be started again');
      }
    }
  };
  const supervised = supervise();

  return {
    async health() {
      const answer = await status();
      if (answer === undefined)
        return {
          ok: false,
          detail: `The raft engine did not answer a status query within ${queryMs / 1000} s.`,
        };
      if (answer.leader !== undefined)
        return { ok: true, detail: `Member ${answer.member} follows the leader ${answer.leader}.` };
      const missing = now() - (leaderlessSince ?? now());
      const seconds = Math.floor(missing / 1000);
      return missing > graceMs
        ? {
            ok: false,
            detail: `Member ${answer.member} has had no leader for ${seconds} s, longer than the grace period of 30 s: most members do not answer each other.`,
          }
        : {
            ok: true,
            detail: `Member ${answer.member} has had no leader for ${seconds} s, within the grace period of 30 s.`,
          };
    },
    async leads() {
      const answer = await status();
      return answer !== undefined && answer.member === answer.leader;
    },
    enginePid: () => engine.pid,
    async close() {
      closing.abort();
      clearInterval(poll);
      await engine.stop();
      await supervised;
      // One that was starting when the first was told to stop.
      await engine.stop();
    },
  };
}

/** Undefined when it does not answer in time, or not with a status. */
async function readStatus(clientUrl: string): Promise<Status | undefined> {
  try {
    const answer = await fetch(`${clientUrl}/v3/maintenance/status`, {
      method: 'POST',
      body: '{}',
      signal: AbortSignal.timeout(queryMs),
    });
    const { header, leader } = statusAnswer.parse(await answer.json());
    return { member: hex(header.member_id), leader: leader === '0' ? undefined : hex(leader) };
  } catch {
    return undefined;
  }
}

/** As etcd's own tools write an id. */
function hex(id: string): string {
  return BigInt(id).toString(16);
}
