import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Kysely } from 'kysely';
import { ConsoleError } from '#shared/errors.ts';
import type { RunSchema } from '#shared/gen/platform/v1/playbook_pb.js';
import type { Notices } from '../../store/index.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
import { type DecisionParts, definitionOfRun, progressOf, undoableOf } from './decisions.ts';
import { type Engine, type EngineParts, startEngine } from './engine.ts';
import { runHeadMessage, runMessage } from './messages.ts';
import { createRunHub, type RunHub, type Seen } from './run-hub.ts';
import { readRun } from './runs.ts';
import type { PlaybookTables } from './store.ts';
import { followSchedules, type TriggerParts } from './triggers.ts';

type RunMessage = MessageInitShape<typeof RunSchema>;

/** Playbooks of a console: their definitions, and the runs that it works on. */
export type Playbooks = {
  readonly db: Kysely<PlaybookTables>;
  readonly catalogue: Catalogue;
  readonly hub: RunHub<RunMessage>;
  readonly decisions: DecisionParts;
  readonly triggers: TriggerParts & Pick<DecisionParts, 'changed'>;
  readonly now: () => number;
  readonly sandboxTarget: () => string | undefined;
  /** Tells every console that there are new runs. */
  started(): void;
  /** Makes the run due that put a command of this id into a queue, if one did. */
  commandFinished(id: string): Promise<void>;
  /** Returns a run with its attempts. Throws `NotFound`. */
  showRun(id: string): Promise<Seen<RunMessage>>;
  /** Returns a page of runs, the newest first. Throws `BadInput` for a token that is none. */
  listRuns(
    playbook: string,
    size: number,
    token: string,
  ): Promise<{ readonly runs: RunMessage[]; readonly nextPageToken: string }>;
  close(): Promise<void>;
};

export type PlaybooksParts = EngineParts & { readonly notices: Notices };

/** Opens the playbooks, and begins to work on runs that are due. */
export function openPlaybooks(parts: PlaybooksParts): Playbooks {
  const { db, notices, now, audit, log } = parts;
  const engine: Engine = startEngine(parts);
  const catalogue = createCatalogue(db, now);
  const changed = (id: string): void => notices.publish('playbooks', id);
  const started = (): void => notices.publish('playbooks', '');
  const triggers = { db, catalogue, audit, log, now, started, changed };
  const stopSchedules = followSchedules(triggers);

  const showRun = async (id: string): Promise<Seen<RunMessage>> => {
    const row = await readRun(db, id);
    const cancel = await db
      .selectFrom('playbook_signals')
      .select('name')
      .where('run_id', '=', id)
      .where('name', '=', 'cancel')
      .executeTakeFirst();
    const shown = runMessage({
      row,
      progress: progressOf(row),
      definition: await definitionOfRun(db, row),
      cancelling: cancel !== undefined && row.ended_at === null,
      undoable: await undoableOf(db, row),
    });
    // What came in shows too, such as a wish to cancel.
    return { version: row.version + row.signals, ended: row.ended_at !== null, shown };
  };
  const hub = createRunHub(showRun, notices);
  return {
    db,
    catalogue,
    hub,
    triggers,
    now,
    started,
    showRun,
    sandboxTarget: parts.sandboxTarget,
    decisions: { db, now, changed },

    async commandFinished(id) {
      const [, run] = /^([0-9a-f-]{36})-\d+$/.exec(id) ?? [];
      if (run === undefined) return;
      await db
        .updateTable('playbook_runs')
        .set((eb) => ({ signals: eb('signals', '+', 1), wake_at: 0 }))
        .where('id', '=', run)
        .execute();
      changed(run);
    },

    async listRuns(playbook, size, token) {
      let query = db.selectFrom('playbook_runs').selectAll();
      if (playbook !== '') query = query.where('playbook', '=', playbook);
      const after = token === '' ? undefined : positionOf(token);
      if (after !== undefined)
        query = query.where((eb) =>
          eb.or([
            eb('started_at', '<', after.at),
            eb.and([eb('started_at', '=', after.at), eb('id', '>', after.id)]),
          ]),
        );
      const rows = await query
        .orderBy('started_at', 'desc')
        .orderBy('id')
        .limit(size + 1)
        .execute();
      const page = rows.slice(0, size);
      const last = page.at(-1);
      return {
        runs: page.map(runHeadMessage),
        nextPageToken: rows.length > size && last !== undefined ? `${last.started_at}.${last.id}` : '',
      };
    },

    async close() {
      stopSchedules();
      hub.close();
      await engine.close();
    },
  };
}

function positionOf(token: string): { readonly at: number; readonly id: string } {
  const [, at, id] = /^(\d{1,16})\.([0-9a-f-]{36})$/.exec(token) ?? [];
  if (at === undefined || id === undefined)
    throw new ConsoleError('BadInput', 'page_token is none that this list gave: leave it out to begin anew.');
  return { at: Number(at), id };
}
