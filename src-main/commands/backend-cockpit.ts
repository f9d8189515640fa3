import { Command } from 'commander';
import { parseListen } from '../config/index.ts';
import { type CloseOnSignal, runBackend } from './run-backend.ts';

type Options = { readonly listen?: string; readonly runner?: boolean; readonly readyFile?: string };

/** `operator-console backend cockpit`: runs a control plane or a runner until it is stopped. */
export function backendCockpitCommand(closeOnSignal: CloseOnSignal): Command {
  return new Command('cockpit')
    .description('the cockpit backend: a control plane, or its runner (configured by environment variables)')
    .option('--listen <host:port>', 'address to listen on (default 127.0.0.1 and PORT, 7100 or 7102)')
    .option('--runner', 'run as the fetching runner of a control plane')
    .option('--ready-file <file>', 'JSON {url, pid} written once requests are accepted')
    .action(async ({ listen, runner = false, readyFile }: Options) => {
      const role = runner ? 'runner' : 'control-plane';
      const given = listen === undefined ? undefined : parseListen(listen, '--listen');
      await runBackend({
        name: runner ? 'Cockpit runner' : 'Cockpit control plane',
        readyFile,
        start: async (log) => {
          const { readCockpitConfig, readPort, startCockpit } = await import('../backends/cockpit/index.ts');
          // Read even when it is not used: the image's entrypoint rejects a PORT that is none.
          const port = readPort(process.env, role);
          return startCockpit({
            listen: given ?? { host: '127.0.0.1', port },
            config: readCockpitConfig(process.env, role),
            log,
          });
        },
        closeOnSignal,
      });
    });
}
