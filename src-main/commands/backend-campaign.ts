import { Command } from 'commander';
import { parseListen } from '../config/index.ts';
import { type CloseOnSignal, runBackend } from './run-backend.ts';

type Options = { readonly listen: string; readonly readyFile?: string };

/** `operator-console backend campaign`: runs the campaign backend until it is stopped. */
export function backendCampaignCommand(closeOnSignal: CloseOnSignal): Command {
  return new Command('campaign')
    .description('the campaign backend: campaigns, content and leads (configured by environment variables)')
    .option('--listen <host:port>', 'address to listen on', '127.0.0.1:7200')
    .option('--ready-file <file>', 'JSON {url, pid} written once requests are accepted')
    .action(async ({ listen, readyFile }: Options) => {
      const address = parseListen(listen, '--listen');
      await runBackend({
        name: 'Campaign backend',
        readyFile,
        start: async (log) => {
          const { readCampaignConfig, startCampaign } = await import('../backends/campaign/index.ts');
          return startCampaign({ listen: address, config: readCampaignConfig(process.env), log });
        },
        closeOnSignal,
      });
    });
}
