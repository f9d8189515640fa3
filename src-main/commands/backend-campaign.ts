import { Command } from 'commander';
import { pino } from 'pino';
import { readCampaignConfig, startCampaign } from '../backends/campaign/index.ts';
import { parseListen } from '../config.ts';
import { writePrivateFile } from '../private-file.ts';

type Options = { readonly listen: string; readonly readyFile?: string };

/**
 * `operator-console backend campaign`: runs the campaign backend until it is told to stop. `closeOnSignal` ends what it is given when the
 * process is.
 */
export function backendCampaignCommand(
  closeOnSignal: (running: { readonly url: string; close(): Promise<void> }) => void,
): Command {
  return new Command('campaign')
    .description(
      'the campaign backend: campaigns, content and leads (its settings are environment variables)',
    )
    .option('--listen <host:port>', 'address to listen on', '127.0.0.1:7200')
    .option('--ready-file <file>', 'JSON {url, pid} written when requests are accepted')
    .action(async ({ listen, readyFile }: Options) => {
      const log = pino(
        { level: process.env.CONSOLE_LOG_LEVEL ?? 'info' },
        pino.destination({ dest: 2, sync: true }),
      );
      const address = parseListen(listen, '--listen');
      const campaign = await startCampaign({
        listen: address,
        config: readCampaignConfig(process.env),
        log,
      });
      closeOnSignal(campaign);
      process.stdout.write(`Campaign backend on ${campaign.url}\n`);
      if (readyFile !== undefined) writePrivateFile(readyFile, { url: campaign.url, pid: process.pid });
    });
}
