import { StartupRefused } from './refusals.ts';

/** A variable that a backend reads: its program looks up no other, and docs/backends.md is written from it. */
export type BackendVariable = {
  readonly name: string;
  /** Unit or shape of the value, such as `url`. */
  readonly type: string;
  /** Value when it is not set; empty when it is then unset. */
  readonly default: string;
  /** The effect of leaving it unset, for people; empty when the sentence says it. */
  readonly otherwise: string;
  readonly secret: boolean;
  /** Its purpose, for people. */
  readonly sentence: string;
};

/** An environment of which only the variables of a table are looked at. */
export type EnvironmentOf<Table extends readonly BackendVariable[]> = Readonly<
  Partial<Record<Table[number]['name'], string | undefined>>
>;

/** The variables of a table that always have a value, because the table says which when they are not set. */
type Defaulted<Table extends readonly BackendVariable[]> = Exclude<
  Table[number],
  { readonly default: '' }
>['name'];

/** One entry of a table of variables. */
export function variable<const Name extends string, const Default extends string>(
  name: Name,
  type: string,
  defaultValue: Default,
  sentence: string,
  more: { readonly secret?: boolean; readonly otherwise?: string } = {},
): BackendVariable & { readonly name: Name; readonly default: Default } {
  const { secret = false, otherwise = '' } = more;
  return { name, type, default: defaultValue, otherwise, secret, sentence };
}

/** Reads a program's variables: trimmed, with a blank value as unset. */
export type VariableReader<Table extends readonly BackendVariable[]> = {
  /** Undefined when it is not set, whatever its default. */
  filled(env: EnvironmentOf<Table>, name: Table[number]['name']): string | undefined;
  /** Its default when it is not set. */
  orDefault(env: EnvironmentOf<Table>, name: Defaulted<Table>): string;
};

/** Makes the functions that look up the variables of a table. */
export function variableReader<const Table extends readonly BackendVariable[]>(
  table: Table,
): VariableReader<Table> {
  const defaults = new Map(table.map((each) => [each.name, each.default]));
  const filled = (env: EnvironmentOf<Table>, name: Table[number]['name']): string | undefined =>
    env[name]?.trim() || undefined;
  return { filled, orDefault: (env, name) => filled(env, name) ?? defaults.get(name) ?? '' };
}

/**
 * The http(s) address in a variable, without a slash at its end. Throws `StartupRefused` for anything else, and for one with a user, a
 * password, a query or a fragment in it; as it may hold a password, it is not repeated.
 */
export function httpAddress(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new StartupRefused(`${name} must be an http(s) address, such as http://127.0.0.1:11434.`);
  if (url.username !== '' || url.password !== '')
    throw new StartupRefused(
      `${name} holds a user or a password, which is not sent: give the address alone.`,
    );
  return url.href.replace(/\/+$/, '');
}
