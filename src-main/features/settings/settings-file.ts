import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '../../base/private-file.ts';

/** A variable as the settings file sees it. */
export type FileVariable = {
  readonly name: string;
  readonly where: 'env' | 'settings' | 'keys';
};

const schema = z.record(z.string(), z.string());

/** The settings file of a data folder. */
export function settingsFile(folder: string): string {
  return join(folder, 'settings.json');
}

/**
 * Reads the settings file, by variable; empty when there is none. Throws an Error that names the file and
 * what in it is wrong, never a value: the file must be fixed by hand, and is not overwritten.
 */
export function readSettingsFile(file: string, variables: readonly FileVariable[]): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read: check its folder, and the owner and mode of both.`, {
      cause: error,
    });
  }
  const values = parsed(file, text);
  for (const name of Object.keys(values)) {
    const known = variables.find((variable) => variable.name === name);
    if (known === undefined)
      throw new Error(`${file} sets ${name}, which is not a setting of this console: remove it.`);
    if (known.where === 'keys')
      throw new Error(
        `${file} sets ${name}, which is a secret: remove it there, and set it with \`operator-console keys set ${name}\`.`,
      );
    if (known.where === 'env')
      throw new Error(`${file} sets ${name}, which only the environment can set: remove it there.`);
  }
  return values;
}

function parsed(file: string, text: string): Record<string, string> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error(`${file} is not JSON: fix it, or move it away.`);
  }
  const result = schema.safeParse(content);
  if (result.success) return result.data;
  const name = result.error.issues[0]?.path.join('.') ?? '';
  throw new Error(
    name === ''
      ? `${file} is not a JSON object of strings: fix it, or move it away.`
      : `${file} sets ${name} to something that is not a string: put it in quotes.`,
  );
}

/** Writes the settings file, readable by its owner only, all or nothing. */
export function writeSettingsFile(file: string, values: Readonly<Record<string, string>>): void {
  writePrivateFile(file, values);
}
