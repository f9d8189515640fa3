import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { pino } from 'pino';
import { dialableAddress } from '../base/loopback.ts';
import { ConfigError } from '../config/index.ts';
import { standardError } from '../start/console-log.ts';
import { version } from '../start/program.ts';
import type { CloseOnSignal } from './run-backend.ts';

type Options = {
  readonly console: string;
  readonly id: string;
  readonly tokenFile: string;
  readonly ticketFile?: string;
  readonly bind: string;
};

/** `operator-console runner`: runs the reference data-access runner until it is stopped or revoked. */
export function runnerCommand(closeOnSignal: CloseOnSignal): Command {
  return new Command('runner')
    .description(
      'the reference data-access runner: enrols with its ticket once, then opens the ports of its listeners',
    )
    .requiredOption('--console <url>', 'address of the console')
    .requiredOption('--id <id>', 'ID of the runner, as the console shows it')
    .requiredOption('--token-file <file>', 'file of its token, written when it enrols')
    .option('--ticket-file <file>', 'file of its enrolment ticket, needed once; - reads standard input')
    .option('--bind <address>', 'address that its listeners open ports on', '127.0.0.1')
    .action(async ({ console: address, id, tokenFile, ticketFile, bind }: Options) => {
      if (!URL.canParse(address)) throw new ConfigError('--console must be the address of a console.');
      const log = pino({ level: process.env.CONSOLE_LOG_LEVEL ?? 'info' }, standardError());
      const { startRunner } = await import('../backends/runner/index.ts');
      const running = await startRunner({
        console: dialableAddress(address),
        id,
        ticket: ticketFile === undefined ? undefined : readTicket(ticketFile),
        file: tokenFile,
        host: bind,
        version: version(),
        log,
      });
      closeOnSignal({ url: address, close: running.close });
      process.stdout.write(`Runner ${id} of ${address}\n`);
      await running.revoked;
      throw new Error(`The console revoked the runner ${id}: enrol another one.`);
    });
}

/** Reads a ticket. A file, as a command line can be seen by every user of a machine. */
function readTicket(file: string): string | undefined {
  return readFileSync(file === '-' ? 0 : file, 'utf8').trim() || undefined;
}
