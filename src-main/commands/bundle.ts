import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { Command } from 'commander';
import type { BundleProgress } from '#shared/api/targets.ts';
import { isLoopbackHost } from '../base/loopback.ts';
import { ConfigError, parseListen } from '../config/index.ts';
import { bundleWorld } from '../kube-api/bundle-world.ts';
import { kubeconfigText, loopbackCertificate, startKubeApi } from '../kube-api/index.ts';
import { openBundle } from '../sources/cluster/bundle/index.ts';

type ServeOptions = { readonly listen: string; readonly kubeconfig?: string };

export type ServedBundle = {
  /** The kubeconfig that leads to it, readable by its owner only. */
  readonly kubeconfig: string;
  readonly url: string;
  /** Summary of the bundle's content, one line. */
  readonly summary: string;
  /** Parts of the cluster missing from it, one sentence each. */
  readonly gaps: readonly string[];
  /** Closes it and deletes its kubeconfig, whose token is no longer valid. */
  close(): Promise<void>;
};

/** Gaps that are printed before the rest is only counted. */
const mostGaps = 20;

/** `operator-console bundle`: an offline bundle for kubectl and other tools. */
export function bundleCommand(): Command {
  const bundle = new Command('bundle').description('work with an offline bundle of a cluster');
  bundle
    .command('serve <file>')
    .description('serve a bundle to kubectl and other tools, read-only, on this machine only')
    .option('--listen <host:port>', 'loopback address to listen on', '127.0.0.1:0')
    .option('--kubeconfig <file>', 'the kubeconfig to write; must not exist yet')
    .action(serve);
  return bundle;
}

async function serve(file: string, options: ServeOptions): Promise<void> {
  const interrupted = new AbortController();
  const stopped = new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        interrupted.abort();
        stop();
      });
  });
  const { isTTY } = process.stderr;
  const served = await serveBundle(file, options, {
    signal: interrupted.signal,
    onProgress: isTTY ? showProgress : () => undefined,
  });
  if (isTTY) process.stderr.write('\r\x1b[K');
  for (const gap of served.gaps.slice(0, mostGaps)) process.stderr.write(`${gap}\n`);
  if (served.gaps.length > mostGaps)
    process.stderr.write(`${served.gaps.length - mostGaps} more parts of the cluster are missing from it.\n`);
  process.stderr.write(`${served.summary}\n`);
  process.stdout.write(`KUBECONFIG=${served.kubeconfig}\n`);
  await stopped;
  await served.close();
}

/**
 * Opens a bundle and serves it over HTTPS, because kubectl sends its token over nothing else. Throws `ConfigError` for
 * options that cannot be used, and what opening the bundle throws.
 */
export async function serveBundle(
  file: string,
  { listen, kubeconfig }: ServeOptions,
  {
    signal,
    onProgress,
  }: { readonly signal: AbortSignal; readonly onProgress: (progress: BundleProgress) => void },
): Promise<ServedBundle> {
  const address = parseListen(listen, '--listen');
  if (!isLoopbackHost(address.host))
    throw new ConfigError(
      `--listen is "${listen}": a bundle is confidential, so use a loopback address, such as 127.0.0.1:0.`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'operator-console-bundle-'));
  const endings: (() => void | Promise<void>)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    const opened = await openBundle({
      path: resolve(file),
      spool: join(folder, 'spool'),
      signal,
      onProgress,
    });
    endings.push(() => opened.close());
    const token = randomBytes(32).toString('base64url');
    const tls = loopbackCertificate(Date.now());
    const api = await startKubeApi({
      world: bundleWorld(opened),
      listen: address,
      tls,
      users: [{ name: 'bundle-reader', token }],
      // Ages are those it had when it was taken.
      now: () => opened.cluster.takenAt ?? Date.now(),
    });
    endings.push(() => api.close());
    const name = basename(file).replace(/\.(?:tar\.gz|tgz|tar|zip)$/, '');
    const target = kubeconfig === undefined ? join(folder, 'kubeconfig') : resolve(kubeconfig);
    writeKubeconfig(target, kubeconfigText({ name, server: api.url, token, ca: tls.ca }));
    endings.push(() => rmSync(target, { force: true }));
    const { objects, logs, taken_at } = opened.facts;
    return {
      kubeconfig: target,
      url: api.url,
      summary: `${file}: ${objects} objects and ${logs} logs${taken_at === undefined ? '' : `, taken ${taken_at}`}, on ${api.url} until this program ends.`,
      gaps: opened.facts.gaps,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Writes a kubeconfig, never over an existing file: it may be the one with all of a person's clusters. */
function writeKubeconfig(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new ConfigError(
      isThere
        ? `${file} already exists: choose another file with --kubeconfig.`
        : `${file} cannot be written (${error instanceof Error ? error.message : error}): check its folder.`,
      { cause: error },
    );
  }
}

function showProgress({ step, objects }: BundleProgress): void {
  process.stderr.write(`\r${step}: ${objects} objects\x1b[K`);
}
