import { closeSync, createReadStream, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { type Severity, severity } from '#shared/api/symptoms.ts';
import type { Report, TextReport } from '#shared/api/troubleshoot.ts';
import { reportMarkdown } from '#shared/troubleshoot/report-markdown.ts';
import { ConfigError } from '../config/index.ts';
import { diagnose, diagnoseText, logLiterals, readCatalogue } from '../features/troubleshoot/index.ts';
import type { Cluster } from '../sources/cluster/index.ts';
import type { OpenTargetNamed } from './capture.ts';
import { reportText } from './diagnosis-text.ts';

type Options = {
  readonly target?: string;
  readonly text?: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly failOn: Severity;
};

/** Exit code when something at or above `--fail-on` was found. */
const foundCode = 3;

/** `operator-console diagnose`: what is wrong in a bundle, a cluster or a text, why, and what to do. */
export function diagnoseCommand(openTarget: OpenTargetNamed): Command {
  return new Command('diagnose')
    .description('diagnose an offline bundle, a cluster or a log: what is wrong, why, and how to fix it')
    .argument('[path]', 'the bundle: an archive, a folder, or output of kubectl get -o json')
    .option('--target <name>', 'a cluster instead: kubeconfig context, or in-cluster')
    .option('--text <file>', 'a log or message instead; - for standard input')
    .addOption(new Option('--json', 'print the whole report as JSON').conflicts('markdown'))
    .option('--markdown', 'print the report as Markdown')
    .addOption(
      new Option('--fail-on <severity>', 'exit with 3 if anything this severe was found')
        .choices(severity.options)
        .default('warning'),
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing at or above --fail-on, 3 something was found, 2 invalid command line,\n1 the input could not be read. Skipped checks are printed and do not change the code.',
    )
    .action((path: string | undefined, options: Options) => run(openTarget, path, options));
}

async function run(openTarget: OpenTargetNamed, path: string | undefined, options: Options): Promise<void> {
  const { target, text } = options;
  if ([path, target, text].filter((one) => one !== undefined).length !== 1)
    throw new ConfigError('Name one thing to diagnose: a bundle path, --target, or --text.');
  const report =
    text !== undefined
      ? await diagnoseText(readText(text), readCatalogue())
      : target !== undefined
        ? await diagnoseTarget(openTarget, target)
        : await diagnoseBundle(resolve(path ?? ''));
  const name = text ?? target ?? path ?? '';
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify(report, undefined, 2)}\n`
      : options.markdown === true
        ? reportMarkdown({
            ...report,
            of: name,
            notChecked: report.not_checked,
            ...(isOfCluster(report) ? { readAt: report.read_at } : {}),
          })
        : reportText(report, name),
  );
  if (isOfCluster(report) && report.source === 'unavailable')
    throw new Error(`${name} could not be read. ${report.unmeasured[0] ?? ''}`.trim());
  const grave = severity.options.slice(0, severity.options.indexOf(options.failOn) + 1);
  if (report.findings.some((finding) => grave.includes(finding.severity))) process.exitCode = foundCode;
}

const isOfCluster = (report: Report | TextReport): report is Report => 'source' in report;

/** Bytes of a file that is read as a text. */
const longestFile = 64 << 20;

/** Reads a text as it comes: a log of 50 MB is never in memory as a whole. */
async function* readText(file: string): AsyncGenerator<string> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  const decoder = new TextDecoder();
  let read = 0;
  for await (const bytes of input) {
    const part: Buffer = Buffer.from(bytes);
    read += part.length;
    if (read > longestFile)
      throw new ConfigError(
        `${file === '-' ? 'The standard input' : file} is larger than ${longestFile >> 20} MB: pass only the relevant part.`,
      );
    yield decoder.decode(part, { stream: true });
  }
  yield decoder.decode();
}

async function diagnoseTarget(openTarget: OpenTargetNamed, name: string): Promise<Report> {
  const { cluster, close } = await openTarget(name);
  try {
    return await diagnosed(name, cluster);
  } finally {
    await close();
  }
}

async function diagnoseBundle(path: string): Promise<Report> {
  const { BundleError, createSharedScan, openBundle } = await import('../sources/cluster/bundle/index.ts');
  const spool = mkdtempSync(join(tmpdir(), 'operator-console-diagnose-'));
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const { signal } = interrupted;
  // Beside the opening: the diagnosis gets what is found then without looking again, or why nothing was.
  const scan = createSharedScan(path);
  scan.scanLogs({ literals: logLiterals(readCatalogue()), signal }).catch(() => undefined);
  try {
    const opened = await openBundle({
      path,
      spool,
      scan,
      signal,
      onProgress: ({ step }) => showStep(step),
    });
    try {
      return await diagnosed(undefined, opened.cluster);
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (error instanceof BundleError && isText(path))
      throw new Error(`${error.message} If it is a log or a message, read it with --text ${path}`, {
        cause: error,
      });
    throw error;
  } finally {
    await scan.close();
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    rmSync(spool, { recursive: true, force: true });
  }
}

/** Whether a file begins with text: no NUL among its first bytes. */
function isText(path: string): boolean {
  if (!statSync(path).isFile()) return false;
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(4096);
    return !head.subarray(0, readSync(file, head)).includes(0);
  } finally {
    closeSync(file);
  }
}

async function diagnosed(id: string | undefined, cluster: Cluster): Promise<Report> {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    return await diagnose(
      { id, cluster },
      {
        catalogue: readCatalogue(),
        now: Date.now,
        signal: interrupted.signal,
        onProgress: ({ step }) => showStep(step),
      },
    );
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}

function showStep(step: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${step}\x1b[K`);
}
