import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { KubeconfigContext } from '#shared/api/kubeconfigs.ts';
import { ConsoleError } from '#shared/errors.ts';
import { type InspectedContext, inspectKubeconfig } from '../../sources/cluster/live/index.ts';

/** A kubeconfig as a person gives it. */
export type Given = { readonly path: string } | { readonly content: string };

/** Most bytes of a kubeconfig that is named by its path. */
const largest = 512 * 1024;

const flatten = 'Embed certificates and token in the file: kubectl config view --flatten --minify does so.';

/**
 * Reads the contexts of a kubeconfig, each with the reason it cannot be used. `ownsMachine`: whoever gives it is the
 * person at the console's machine. From anybody else nothing is taken that would run a program there or read a file of
 * it: a file that they name would be sent to the server that they name. Throws `BadInput` for what is no kubeconfig.
 */
export async function readGiven(
  path: string,
  { kept, ownsMachine }: { readonly kept: boolean; readonly ownsMachine: boolean },
): Promise<{ readonly contexts: KubeconfigContext[]; readonly current: string | undefined }> {
  const { contexts, current } = await inspectKubeconfig(path);
  // A file that cannot be read at all is told as one context of its own path.
  const [only] = contexts;
  if (only?.name === path && only.fault !== undefined) {
    const what = only.fault.replaceAll(path, 'This');
    throw new ConsoleError('BadInput', kept ? what : only.fault);
  }
  if (contexts.length === 0)
    throw new ConsoleError(
      'BadInput',
      'This has no contexts: paste a kubeconfig, such as the output of `kubectl config view --flatten`.',
    );
  const folder = dirname(path);
  return {
    current,
    contexts: contexts.map((context) => ({
      name: context.name,
      ...(context.server === undefined ? {} : { server: context.server.host }),
      ...(context.namespace === undefined ? {} : { namespace: context.namespace }),
      ...(context.user === undefined ? {} : { user: context.user }),
      ...(context.runs === undefined ? {} : { runs: context.runs.join(' ') }),
      files: context.files.map((file) => (kept ? file.replace(`${folder}/`, '') : file)),
      ...faultOf(context, { folder: kept ? folder : undefined, ownsMachine }),
    })),
  };
}

function faultOf(
  { name, runs, files, fault }: InspectedContext,
  { folder, ownsMachine }: { readonly folder: string | undefined; readonly ownsMachine: boolean },
): { fault?: string } {
  if (fault !== undefined) return { fault };
  if (!ownsMachine && runs !== undefined)
    return {
      fault: `${name} signs in by the program ${runs[0]}, which would run on the console's machine: only the person at that machine attaches such a one, by its path. ${flatten}`,
    };
  if (!ownsMachine && files.length > 0)
    return {
      fault: `${name} reads ${files.length === 1 ? 'a file' : 'files'} on the console's machine to sign in: only the person at that machine can add it, by its path. ${flatten}`,
    };
  const names = [...files, ...(runs?.slice(0, 1) ?? [])];
  // What was pasted is in the console's own folder now, where nothing lies beside it.
  if (folder !== undefined && names.some((file) => file.startsWith(`${folder}/`)))
    return {
      fault: `${name} references a file by a relative path. ${flatten}`,
    };
  return {};
}

/**
 * Returns the whole path of a kubeconfig that the person at the machine names. Throws `BadInput` for what is no file that
 * can be a kubeconfig: a pipe would be waited for, and a device never ends.
 */
export async function namedFile(path: string): Promise<string> {
  const whole = path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
  if (!isAbsolute(whole))
    throw new ConsoleError('BadInput', `${path} is not an absolute path: start it with / or ~/.`);
  const found = await stat(whole).catch(() => undefined);
  if (found === undefined)
    throw new ConsoleError(
      'BadInput',
      `${whole} does not exist or is not readable: check the path and its permissions.`,
    );
  if (!found.isFile())
    throw new ConsoleError('BadInput', `${whole} is not a file: enter the path of a kubeconfig.`);
  if (found.size > largest)
    throw new ConsoleError(
      'BadInput',
      `${whole} has ${Math.ceil(found.size / 1024)} KiB; the limit is ${largest / 1024} KiB.`,
    );
  return whole;
}
