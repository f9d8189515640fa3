import type { Clause, Symptom } from '#shared/api/symptoms.ts';

export type ClauseKind = Clause extends infer C ? (C extends C ? keyof C : never) : never;
export type ClauseOf<Kind extends ClauseKind> = Extract<Clause, Readonly<Record<Kind, unknown>>>[Kind];

/** A clause of a symptom with its patterns ready. */
export type Rule<Kind extends ClauseKind = ClauseKind> = {
  readonly symptom: Symptom;
  /** True for a clause of `unless`: a match rules the symptom out. */
  readonly excludes: boolean;
  readonly clause: ClauseOf<Kind>;
  /** Pattern for the message, detail, value or line. */
  readonly pattern: RegExp | undefined;
  /** Pattern that a value must not match. */
  readonly notPattern: RegExp | undefined;
};

/** The clauses of a catalogue by what they look at. */
export type Rules = { readonly [Kind in ClauseKind]: readonly Rule<Kind>[] };

export function rulesOf(catalogue: readonly Symptom[]): Rules {
  const of = <Kind extends ClauseKind>(kind: Kind): Rule<Kind>[] =>
    catalogue.flatMap((symptom) =>
      (['look_for', 'unless'] as const).flatMap((list) =>
        symptom[list].flatMap((each) => {
          if (!isOf(each, kind)) return [];
          const clause = each[kind];
          return [
            {
              symptom,
              excludes: list === 'unless',
              clause,
              pattern: compiled(clause, ['pattern', 'message', 'detail', 'matches']),
              notPattern: compiled(clause, ['not_matches']),
            },
          ];
        }),
      ),
    );
  return {
    log: of('log'),
    class: of('class'),
    ending: of('ending'),
    container: of('container'),
    pod: of('pod'),
    event: of('event'),
    http: of('http'),
    environment: of('environment'),
    certificate: of('certificate'),
    condition: of('condition'),
    check: of('check'),
  };
}

function isOf<Kind extends ClauseKind>(
  clause: Clause,
  kind: Kind,
): clause is Extract<Clause, Readonly<Record<Kind, unknown>>> {
  return kind in clause;
}

function compiled(clause: unknown, fields: readonly string[]): RegExp | undefined {
  if (typeof clause !== 'object' || clause === null) return undefined;
  for (const field of fields) {
    const source: unknown = Reflect.get(clause, field);
    if (typeof source === 'string') return new RegExp(source, 'iu');
  }
  return undefined;
}
