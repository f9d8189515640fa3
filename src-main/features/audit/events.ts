import type { AuditOutcome } from '#shared/api/audit.ts';
import type { AuditDetail } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import { errorMessage } from '../../base/error-message.ts';

/** An audited act: actor, action and target. Never holds a secret. */
export type Act = {
  /** Signed-in email, or `anonymous`. */
  readonly actor: string;
  /** Such as `sessions.revoke_all`. */
  readonly action: string;
  readonly target: string;
};

/** An act that has ended: what its record says, but for the time and the place in the chain. */
export type Ended = Act & {
  readonly outcome: AuditOutcome;
  readonly summary: string;
  readonly detail: AuditDetail;
};

/**
 * An act that has begun. Exactly one of the three ends it; each resolves when the record is durable, and throws
 * `Unavailable` when it is not known to be.
 */
export type AuditEvent = {
  /**
   * Adds to the record, beyond actor, action and outcome, one summary sentence and details. Later calls add
   * to earlier ones.
   */
  record(summary: string, detail?: AuditDetail): void;
  success(): Promise<void>;
  /** `reason` is the last sentence of the record's summary. */
  fail(reason: string): Promise<void>;
  refuse(reason: string): Promise<void>;
};

/** The audit trail, for who acts. */
export type Audit = {
  /**
   * Begins an act; `detail` are facts known from the start. Throws `Unavailable` when the trail could not be written
   * last time and still cannot: an act that could not be answered for is not begun.
   */
  begin(act: Act, detail?: AuditDetail, options?: BeginOptions): Promise<AuditEvent>;
};

export type BeginOptions = {
  /** Recorded however often it is refused or fails: the end of an act whose begin was recorded. */
  readonly always?: true;
};

/** Begins an act whose record `append` writes when it has ended. */
export function createEvent(
  act: Act,
  given: AuditDetail,
  append: (ended: Ended) => Promise<void>,
): AuditEvent {
  const said: string[] = [];
  let detail = given;
  let ended = false;
  async function end(outcome: AuditOutcome, reason?: string): Promise<void> {
    if (ended) throw new Error(`${act.action} was ended twice for its audit record.`);
    ended = true;
    if (reason !== undefined) said.push(reason);
    await append({ ...act, outcome, summary: said.join(' ') || 'Done.', detail });
  }
  return {
    record(summary, facts = {}) {
      if (summary !== '') said.push(summary);
      detail = { ...detail, ...facts };
    },
    success: () => end('success'),
    fail: (reason) => end('failure', reason),
    refuse: (reason) => end('refused', reason),
  };
}

/**
 * Runs a privileged act and records how it ended, on every path: the one way an act is audited. A `NotSignedIn` or
 * `NotAllowed` is a refusal, anything else that is thrown a failure. Throws what the act throws, or `Unavailable`
 * when its record could not be written: the message says whether the act was done.
 */
export async function audited<T>(
  audit: Audit,
  act: Act,
  detail: AuditDetail,
  run: (event: AuditEvent) => Promise<T>,
): Promise<T> {
  const event = await audit.begin(act, detail);
  let answer: T;
  try {
    answer = await run(event);
  } catch (error) {
    const known = error instanceof ConsoleError;
    // A bug's own message may quote anything; the log has it.
    const reason = known ? error.message : 'The console failed on this; the reason is in its log.';
    const refused = known && (error.name === 'NotSignedIn' || error.name === 'NotAllowed');
    try {
      await (refused ? event.refuse(reason) : event.fail(reason));
    } catch (unrecorded) {
      throw new ConsoleError(
        'Unavailable',
        `This ${refused ? 'was refused' : 'failed'}, and could not be recorded. ${errorMessage(unrecorded)}`,
        {},
        { cause: unrecorded },
      );
    }
    throw error;
  }
  try {
    await event.success();
  } catch (error) {
    throw new ConsoleError(
      'Unavailable',
      `This was done, but could not be recorded: tell the administrator of this console. ${errorMessage(error)}`,
      {},
      { cause: error },
    );
  }
  return answer;
}
