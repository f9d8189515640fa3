import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { ConsoleError } from '#shared/errors.ts';
import { isRecord } from '../../cluster-model/index.ts';
import { definitionOf } from './catalogue.ts';
import { reportName } from './message-steps.ts';
import { progress as progressShape } from './progress.ts';
import { putSignal, readRun, readText } from './runs.ts';
import { type TriggerParts, takeEvent } from './triggers.ts';

/** The routes that agents report to. */
export function playbookHandlers(
  parts: TriggerParts & { readonly changed: (runId: string) => void },
): Handlers<Extract<RouteId, `playbooks.${string}`>> {
  const { db, now, changed } = parts;
  return {
    'playbooks.event': ({ body }, { caller }) => takeEvent(parts, appOf(caller), body),

    'playbooks.stepReport': async ({ body }, { caller }) => {
      const app = appOf(caller);
      const { run_id, step, attempt, state, summary, result } = body;
      const run = await readRun(db, run_id);
      const { attempts } = progressShape.parse(JSON.parse(run.progress));
      const named = attempts.find(
        (each) => each.step === step && each.attempt === attempt && each.undoes === undefined,
      );
      const text = await readText(db, run.digest);
      const definition =
        text === undefined ? undefined : definitionOf(text, run.digest)?.steps[named?.index ?? -1];
      if (
        named === undefined ||
        definition === undefined ||
        !('dispatch' in definition) ||
        named.act?.begun !== true
      )
        throw new ConsoleError('NotFound', 'No agent was dispatched for this step and attempt of the run.');
      const wanted = definition.dispatch.app;
      if (wanted !== undefined && wanted !== app)
        throw new ConsoleError('NotFound', 'No agent of this App was dispatched for this step of the run.');
      const answer = { run_id, step, attempt, state };
      const data = JSON.stringify({ state, summary, result });
      const name = reportName(step, attempt, state === 'running' ? 'running' : 'final');
      const before = await db
        .selectFrom('playbook_signals')
        .selectAll()
        .where('run_id', '=', run_id)
        .where('name', '=', name)
        .executeTakeFirst();
      if (before === undefined && named.ended_at !== undefined)
        throw new ConsoleError('Conflict', `The step no longer waits for a report: ${named.sentence}`);
      const { kept, created } = await putSignal(db, { run_id, name, by: app, at: now(), data });
      const first: unknown = JSON.parse(kept.data);
      if (!created && state !== 'running' && (kept.by !== app || !isRecord(first) || first.state !== state))
        throw new ConsoleError(
          'Conflict',
          'Another outcome of this step and attempt was reported before: the first one counts.',
        );
      if (created) changed(run_id);
      return { ...answer, created };
    },
  };
}

function appOf({ agent }: { readonly agent?: { readonly app: string } | undefined }): string {
  if (agent === undefined)
    throw new ConsoleError('NotSignedIn', 'This report names no App: send an installation token.');
  return agent.app;
}
