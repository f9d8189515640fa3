import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { z } from 'zod';
import { parsedJson } from '../../../base/parsed-json.ts';
import { processEnd } from '../../../base/process-end.ts';
import { optional, text } from '../../../cluster-model/kinds/fields.ts';
import { ClusterFailure, oneLine } from './failures.ts';
import type { ExecEntry } from './kubeconfig.ts';
import { endGroup } from './login-path.ts';

/** The ExecCredential a plugin writes to its standard output (client.authentication.k8s.io). */
const execCredential = z.object({
  kind: z.literal('ExecCredential'),
  status: z.object({
    token: text,
    clientCertificateData: text,
    clientKeyData: text,
    expirationTimestamp: optional(z.iso.datetime({ offset: true })),
  }),
});
export type ExecStatus = z.infer<typeof execCredential>['status'];

export type PluginRun = {
  readonly exec: ExecEntry;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Instead of PATH of `env`. */
  readonly path: string | undefined;
  /** Given to the plugin when it asks for it (provideClusterInfo). */
  readonly cluster: Readonly<Record<string, string | boolean>>;
  /** Milliseconds it may take. */
  readonly limit: number;
};

/** Bytes of its output that are read. */
const mostOutput = 1024 * 1024;

/**
 * Runs a kubeconfig's exec plugin once, without a terminal. Throws a `sign_in` failure that says what went wrong in the
 * plugin's own last words, with whatever looks like a secret taken out.
 */
export async function runExecPlugin({ exec, env, path, cluster, limit }: PluginRun): Promise<ExecStatus> {
  const name = basename(exec.command);
  const failed = (why: string): ClusterFailure =>
    new ClusterFailure('sign_in', `The sign-in program ${name} ${why}`);
  const info = {
    apiVersion: exec.apiVersion ?? 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false, ...(exec.provideClusterInfo === true ? { cluster } : {}) },
  };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  processEnd.throwIfAborted();
  const plugin = spawn(exec.command, exec.args, {
    env: {
      ...env,
      ...(path === undefined ? {} : { PATH: path }),
      ...Object.fromEntries(exec.env.map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: JSON.stringify(info),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  let out = '';
  let output = '';
  const timer = setTimeout(() => {
    endGroup(plugin.pid);
    reject(
      failed(
        `did not end within ${limit / 1000} s: ${lastLine(output) ?? 'it said nothing'}. Sign in with it in a terminal, then retry.`,
      ),
    );
  }, limit);
  plugin.stdout.setEncoding('utf8').on('data', (piece: string) => {
    if (out.length < mostOutput) out += piece;
  });
  plugin.stderr.setEncoding('utf8').on('data', (piece: string) => {
    output = (output + piece).slice(-16_384);
  });
  plugin.on('error', (error) => {
    const missing = 'code' in error && error.code === 'ENOENT';
    const hint = exec.installHint === undefined ? '' : ` ${oneLine(exec.installHint, 200)}`;
    reject(failed(missing ? `is not found: install it, or put it on PATH.${hint}` : 'could not be started.'));
  });
  plugin.on('close', (code) => {
    if (code === 0) resolve(out);
    else
      reject(
        failed(
          `failed: ${lastLine(output) ?? `it ended with code ${code}`}. Sign in with it in a terminal, then retry.`,
        ),
      );
  });
  try {
    const parsed = execCredential.safeParse(parsedJson(await promise));
    if (!parsed.success)
      throw failed('did not answer with a credential: check its arguments in the kubeconfig.');
    return parsed.data.status;
  } finally {
    clearTimeout(timer);
  }
}

/** The last line that says something, without what may be a token: long runs of the letters that tokens are made of. */
function lastLine(stderr: string): string | undefined {
  const last = stderr
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '');
  if (last === undefined) return undefined;
  const hidden = last
    .replace(/[A-Za-z0-9_+/=.~-]{24,}/g, (run) => (/\d/.test(run) ? '[hidden]' : run))
    .replace(/((?:token|secret|password|code)["']?\s*[=:]\s*)\S+/gi, '$1[hidden]');
  return oneLine(hidden, 200).replace(/[.\s]+$/, '');
}
