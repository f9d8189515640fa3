import { Command } from 'commander';
import { pino } from 'pino';
import { readCockpitConfig, readPort, startCockpit } from '../backends/cockpit/index.ts';
import { StartupRefused } from '../backends/serving/index.ts';
import { parseListen } from '../config.ts';
import { writePrivateFile } from '../private-file.ts';

type Options = { readonly listen?: string; readonly runner?: boolean; readonly readyFile?: string };

const signals = ['SIGTERM', 'SIGINT'] as const;

/**
 * `operator-console backend cockpit`: runs a control plane or a runner until it is told to stop. What it refuses to start for is the one
 * line of its log, in the words of spec/backends.md, and its exit code is 1. `closeOnSignal` ends what it is given when the process is.
 */
export function backendCockpitCommand(
  closeOnSignal: (running: { readonly url: string; close(): Promise<void> }) => void,
): Command {
  return new Command('cockpit')
    .description(
      'the cockpit backend: a control plane, or its runner (its settings are environment variables)',
    )
    .option('--listen <host:port>', 'address to listen on (default 127.0.0.1 and PORT, 7100 or 7102)')
    .option('--runner', 'run as the runner that fetches for a control plane')
    .option('--ready-file <file>', 'JSON {url, pid} written when requests are accepted')
    .action(async ({ listen, runner = false, readyFile }: Options) => {
      const log = pino(
        { level: process.env.CONSOLE_LOG_LEVEL ?? 'info' },
        pino.destination({ dest: 2, sync: true }),
      );
      const role = runner ? 'runner' : 'control-plane';
      const given = listen === undefined ? undefined : parseListen(listen, '--listen');
      // Until it serves, a signal ends it at once; what it started as a child goes with it.
      const endAtOnce = (): never => process.exit(1);
      for (const signal of signals) process.once(signal, endAtOnce);
      try {
        // Read even when it is not used: the image's entrypoint rejects a PORT that is none.
        const port = readPort(process.env, role);
        const cockpit = await startCockpit({
          listen: given ?? { host: '127.0.0.1', port },
          config: readCockpitConfig(process.env, role),
          log,
        });
        for (const signal of signals) process.off(signal, endAtOnce);
        closeOnSignal(cockpit);
        process.stdout.write(`Cockpit ${runner ? 'runner' : 'control plane'} on ${cockpit.url}\n`);
        if (readyFile !== undefined) writePrivateFile(readyFile, { url: cockpit.url, pid: process.pid });
      } catch (error) {
        if (!(error instanceof StartupRefused)) throw error;
        log.error({}, error.message);
        process.exit(1);
      }
    });
}
