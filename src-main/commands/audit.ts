import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import type { AuditProgress, AuditVerification } from '#shared/api/audit.ts';
import { counted } from '#shared/text.ts';
import { ConfigError, readConfig } from '../config/index.ts';
import { type AuditTrail, createAuditTrail } from '../features/audit/index.ts';
import { openConsoleStore } from '../start/console-store.ts';
import { StoreError, storeTrouble } from '../store/index.ts';
import { whoRuns } from './keys.ts';

type DataDirOption = { readonly dataDir?: string };
type VerifyOptions = DataDirOption & { readonly json?: boolean; readonly firstRun?: boolean };

/** Exit codes of `audit verify`, as a scheduled job reads them. */
const exitCodes = { intact: 0, broken: 1, notVerified: 2 } as const;

/** `operator-console audit`: checks and exports the audit trail, also while a console is running. */
export function auditCommand(): Command {
  const audit = new Command('audit').description('verify and export the audit trail');
  audit
    .command('verify')
    .description(
      'verify the whole chain and report the first break; exits 0 if intact, 1 if broken, 2 if not verified or its end cannot be proven',
    )
    .option('--first-run', 'accept that no head was ever kept outside the store, instead of exiting 2')
    .option('--data-dir <folder>', 'folder of the store (CONSOLE_DATA_DIR)')
    .option('--json', 'print the result as JSON')
    .action((options: VerifyOptions) => verify(options));
  audit
    .command('accept-head')
    .description(
      'accept the chain as it is, after investigating a restored copy or a lost head; appends a record',
    )
    .option('--data-dir <folder>', 'folder of the store (CONSOLE_DATA_DIR)')
    .action((options: DataDirOption) => acceptHead(options));
  audit
    .command('export')
    .description('write the whole chain, oldest first, one JSON record per line (docs/audit.md)')
    .option('--data-dir <folder>', 'folder of the store (CONSOLE_DATA_DIR)')
    .option('-o, --output <file>', 'output file, readable by its owner only; default: standard output')
    .action((options: DataDirOption & { output?: string }) => exportTo(options));
  return audit;
}

async function verify({ json = false, firstRun = false, ...folder }: VerifyOptions): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('Verification was interrupted.')));
  const { isTTY } = process.stderr;
  try {
    const result = await withTrail(folder, (trail) =>
      trail.verify({ signal: interrupted.signal, ...(isTTY ? { onProgress: showProgress } : {}) }),
    );
    if (isTTY) process.stderr.write('\r\x1b[K');
    process.stdout.write(json ? `${JSON.stringify(result)}\n` : formatVerification(result));
    process.exitCode = exitCodeOf(result, firstRun);
  } catch (error) {
    // A chain that could not be walked must not be taken for a broken one, nor a bug of ours for either.
    if (error instanceof ConfigError || (!interrupted.signal.aborted && trouble(error) === undefined))
      throw error;
    process.stderr.write(
      `error: ${interrupted.signal.aborted ? 'Verification was interrupted.' : trouble(error)}\n`,
    );
    process.exitCode = exitCodes.notVerified;
  }
}

/** A chain without a head that can be believed may have lost its end: only who knows that none was kept may pass it. */
function exitCodeOf(
  { intact, head_kept_in, head_unread, head_seq }: AuditVerification,
  firstRun: boolean,
): number {
  if (!intact) return exitCodes.broken;
  if (head_unread !== undefined) return exitCodes.notVerified;
  const unproven = head_kept_in === 'nowhere' && head_seq !== undefined;
  return unproven && !firstRun ? exitCodes.notVerified : exitCodes.intact;
}

async function acceptHead(folder: DataDirOption): Promise<void> {
  const head = await withTrail(folder, (trail) => trail.acceptHead(whoRuns()));
  process.stdout.write(
    `The audit trail was accepted as it is. Its last record, ${head?.seq} ${head?.hash}, says so and is the new head. If the console is running, restart it.\n`,
  );
}

function trouble(error: unknown): string | undefined {
  return error instanceof StoreError ? error.message : storeTrouble(error);
}

function showProgress({ checked, total }: AuditProgress): void {
  const percent = total === 0 ? 100 : Math.floor((checked * 100) / total);
  process.stderr.write(`\r${checked} of ${total} records, ${percent} %\x1b[K`);
}

function formatVerification(result: Awaited<ReturnType<AuditTrail['verify']>>): string {
  const lines = [result.first_break === undefined ? intactMessage(result) : brokenMessage(result)];
  if (result.head_unread !== undefined)
    lines.push(`The end of the chain is not proven. ${result.head_unread}`);
  else if (result.head_kept_in === 'nowhere')
    lines.push(
      'No head is kept outside the store, so truncation would go undetected. On a first run, use --first-run.',
    );
  return `${lines.join('\n')}\n`;
}

function intactMessage({ checked, head_seq, head_hash, took_ms }: AuditVerification): string {
  if (head_seq === undefined) return 'The audit trail is empty.';
  return `The audit trail is intact: ${counted(checked, 'record')} in ${(took_ms / 1000).toFixed(1)} s, the last is ${head_seq} ${head_hash}.`;
}

function brokenMessage({ checked, first_break }: AuditVerification): string {
  return `The audit trail is broken at record ${first_break?.seq} (${first_break?.kind}). ${first_break?.reason} Intact records before it: ${checked}.`;
}

async function exportTo({ output, ...folder }: DataDirOption & { output?: string }): Promise<void> {
  await withTrail(folder, async (trail) => {
    if (output === undefined) await print(trail.export());
    else await writeFile(output, trail.export());
  });
}

/** Beside and renamed: a reader never takes half a chain for the whole. */
async function writeFile(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await pipeline(pieces, createWriteStream(draft, { mode: 0o600, flags: 'wx' }));
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new Error(`${file} cannot be written (${error.message}): check the folder and free disk space.`, {
      cause: error,
    });
  }
}

/**
 * Writes to standard output, as fast as it is read. A reader that has enough, such as `head`, ends it
 * quietly.
 */
async function print(pieces: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(pieces, process.stdout, { end: false });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  }
}

async function withTrail<T>({ dataDir }: DataDirOption, use: (trail: AuditTrail) => Promise<T>): Promise<T> {
  const config = readConfig({
    ...process.env,
    ...(dataDir === undefined ? {} : { CONSOLE_DATA_DIR: dataDir }),
  });
  // Opening makes a store where there is none, and an empty chain is intact: a wrong folder must not pass.
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'console.db')))
    throw new ConfigError(
      `There is no store in ${config.dataDir}: name the console's data folder with --data-dir.`,
    );
  const { store, auditHead } = await openConsoleStore(config);
  try {
    const say = (fields: object, message: string): void => {
      process.stderr.write(`${message}${'err' in fields ? `: ${fields.err}` : ''}\n`);
    };
    const trail = createAuditTrail({
      store,
      now: Date.now,
      log: { error: say, warn: say },
      head: auditHead,
    });
    try {
      return await use(trail);
    } finally {
      await trail.close();
    }
  } finally {
    await store.close();
  }
}
