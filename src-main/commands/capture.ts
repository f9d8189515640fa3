import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { ConfigError } from '../config/index.ts';
import { BundleError, type CaptureProgress, captureCluster } from '../sources/cluster/bundle/index.ts';
import type { Cluster } from '../sources/cluster/index.ts';

/** Opens a target by its name; contacts nothing. Throws for a name that is no target. */
export type OpenTargetNamed = (
  name: string,
) => Promise<{ readonly cluster: Cluster; close(): Promise<void> }>;

type Options = {
  readonly target: string;
  readonly output: string;
  readonly namespace?: readonly string[];
  readonly force?: boolean;
};

/** Gaps that are printed before the rest is only counted: all are in the bundle. */
const mostGaps = 20;

/** `operator-console capture`: takes an offline bundle of a live target. `version` is written into it. */
export function captureCommand(openTarget: OpenTargetNamed, version: string): Command {
  return new Command('capture')
    .description('capture an offline bundle of a cluster, in support-bundle layout')
    .requiredOption('--target <name>', 'kubeconfig context, or in-cluster')
    .requiredOption('-o, --output <file>', 'the .tar.gz to write, readable by its owner only')
    .option('--namespace <name...>', 'only these namespaces, and cluster-scoped objects')
    .option('--force', 'overwrite an existing file')
    .action((options: Options) => capture(openTarget, version, options));
}

async function capture(
  openTarget: OpenTargetNamed,
  version: string,
  { target, output, namespace, force = false }: Options,
): Promise<void> {
  const file = resolve(output);
  if (existsSync(file) && !force)
    throw new ConfigError(
      `${file} already exists: choose another file with -o, or overwrite it with --force.`,
    );
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const { isTTY } = process.stderr;
  const { cluster, close } = await openTarget(target);
  try {
    if (cluster.source === 'bundle') throw new BundleError(`${target} is already a bundle.`);
    const { objects, logs, gaps } = await captureCluster({
      cluster,
      version,
      file,
      ...(namespace === undefined ? {} : { namespaces: namespace }),
      onProgress: isTTY ? showProgress : () => undefined,
      signal: interrupted.signal,
      now: Date.now,
    });
    if (isTTY) process.stderr.write('\r\x1b[K');
    for (const gap of gaps.slice(0, mostGaps)) process.stderr.write(`${gap}\n`);
    if (gaps.length > mostGaps)
      process.stderr.write(`${gaps.length - mostGaps} more are listed in the bundle.\n`);
    process.stdout.write(
      `${file}: ${objects} objects and ${logs} logs of ${target}. Credentials are redacted by name and pattern: review it before sharing.\n`,
    );
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    await close();
  }
}

function showProgress({ step, objects, logs }: CaptureProgress): void {
  process.stderr.write(`\r${step}: ${objects} objects, ${logs} logs\x1b[K`);
}
