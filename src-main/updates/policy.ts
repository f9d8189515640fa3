import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isVersion } from './version.ts';

/** What happens when there is a newer version. */
export const updateModes = ['off', 'notify', 'automatic'] as const;
export type UpdateMode = (typeof updateModes)[number];

export type UpdatePolicy = {
  readonly mode: UpdateMode;
  /** The only version that is taken; undefined: the newest. */
  readonly pin: string | undefined;
  /** The managed file, where it decided something. */
  readonly managedBy: string | undefined;
};

const managedSchema = z.strictObject({
  updates: z.enum(updateModes).optional(),
  update_version: z.string().refine(isVersion).optional(),
});

/** Returns the file by which whoever manages a fleet of machines decides for all of their users. */
export function managedPolicyFile(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (platform === 'darwin') return '/Library/Application Support/Operator Console/policy.json';
  if (platform === 'win32')
    return join(env.ProgramData ?? 'C:\\ProgramData', 'Operator Console', 'policy.json');
  return '/etc/operator-console/policy.json';
}

/**
 * Reads the policy: the managed file, else `CONSOLE_UPDATES` and `CONSOLE_UPDATE_VERSION`, else notify. A managed file
 * that cannot be read or used turns updates off: what its author wanted is not known. Throws an Error that names the
 * variable for a value that cannot be used.
 */
export function readUpdatePolicy(
  env: Readonly<Record<string, string | undefined>>,
  file: string,
): UpdatePolicy {
  const mode = updateModes.find((each) => each === (env.CONSOLE_UPDATES?.trim() || 'notify'));
  if (mode === undefined) throw new Error('CONSOLE_UPDATES must be off, notify or automatic.');
  const pin = env.CONSOLE_UPDATE_VERSION?.trim() || undefined;
  if (pin !== undefined && !isVersion(pin))
    throw new Error('CONSOLE_UPDATE_VERSION must be a version, such as 1.4.0.');
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return { mode, pin, managedBy: undefined };
  const managed = readManaged(file);
  if (managed === undefined) return { mode: 'off', pin, managedBy: file };
  return { mode: managed.updates ?? mode, pin: managed.update_version ?? pin, managedBy: file };
}

function readManaged(file: string): z.infer<typeof managedSchema> | undefined {
  try {
    return managedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
