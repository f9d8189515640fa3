import type { Kysely } from 'kysely';
import { type ActClass, type Autonomy, actClass, type Guardrails } from '#shared/api/guardrails.ts';
import type { Call, Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { ConsoleError } from '#shared/errors.ts';
import { actsOf, hardGuardrails, mostOf, stricter } from './act-classes.ts';
import { type Actor, type Decision, decideAct } from './decide.ts';
import { type Chosen, changeGuardrails, type GuardrailTables, readGuardrails } from './store.ts';

export type GuardrailParts = {
  readonly db: Kysely<GuardrailTables>;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Autonomy of a class that nobody chose one for: a person approves. */
const usual: Autonomy = 'ask';

/** The autonomy of each class of acts, as stored. */
export type GuardrailSettings = {
  read(): Promise<Guardrails>;
  /** Decides whether an act of a class may be carried out now, by the stored choice and the hard guardrails. */
  decide(name: ActClass, actor: Actor): Promise<Decision>;
  /**
   * Sets the autonomy of the classes that `change` names. Throws `Refused` for more than a hard guardrail allows, and
   * `Conflict` for another revision than the stored one.
   */
  set(
    change: { readonly revision: number; readonly autonomy: Chosen },
    call: Pick<Call, 'caller' | 'record'>,
  ): Promise<Guardrails>;
};

export function createGuardrails({ db, now }: GuardrailParts): GuardrailSettings {
  const read = async (): Promise<Guardrails> => {
    const { chosen, revision, changedAt } = await readGuardrails(db);
    return {
      classes: actClass.options.map((name) => ({
        class: name,
        acts: actsOf[name],
        autonomy: autonomyOf(chosen, name),
        most: mostOf(name),
      })),
      hard: [...hardGuardrails],
      revision,
      ...(changedAt === undefined ? {} : { changed_at: new Date(changedAt).toISOString() }),
    };
  };
  return {
    read,
    decide: async (name, actor) => decideAct(await read(), name, actor),
    async set({ revision, autonomy }, { caller, record }) {
      const { classes } = await read();
      const named = classes.filter((each) => autonomy[each.class] !== undefined);
      record(`Set the autonomy of ${named.map((each) => each.class).join(', ') || 'no class'}.`, {
        before: Object.fromEntries(named.map((each) => [each.class, each.autonomy])),
        asked: Object.fromEntries(named.map((each) => [each.class, autonomy[each.class] ?? usual])),
      });
      refuseLooser(autonomy);
      const isKept = await changeGuardrails(db, { chosen: autonomy, revision, by: caller.email, at: now() });
      if (!isKept) throw new ConsoleError('Conflict', conflictMessage(await readGuardrails(db)));
      return read();
    },
  };
}

/** `GET` and `PUT /api/guardrails`. */
export function guardrailHandlers(
  guardrails: GuardrailSettings,
): Handlers<Extract<RouteId, `guardrails.${string}`>> {
  return {
    'guardrails.read': () => guardrails.read(),
    'guardrails.set': ({ body }, call) => guardrails.set(body, call),
  };
}

/** A choice from before a hard guardrail was added, or written past this console, is limited by it all the same. */
function autonomyOf(chosen: Chosen, name: ActClass): Autonomy {
  return stricter(chosen[name] ?? usual, mostOf(name));
}

function refuseLooser(asked: Chosen): void {
  for (const { class: name, most, sentence } of hardGuardrails) {
    const value = asked[name];
    if (value !== undefined && stricter(value, most) !== value)
      throw new ConsoleError(
        'Refused',
        `The autonomy of "${name}" cannot be "${value}": "${most}" is the most. ${sentence} Nothing was changed.`,
      );
  }
}

function conflictMessage({ changedAt, changedBy }: Awaited<ReturnType<typeof readGuardrails>>): string {
  const at =
    changedAt === undefined
      ? ''
      : ` at ${new Date(changedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `The guardrails are not of the revision that was named: ${changedBy ?? 'nobody'} changed them last${at}. Nothing was changed. Refresh and try again.`;
}
