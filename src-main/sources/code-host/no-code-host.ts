import { ConsoleError } from '#shared/errors.ts';
import type { CodeHost, NotRead } from './types.ts';

/** The result of every read while no App is set. */
export const notSet: NotRead = {
  ok: false,
  kind: 'unset',
  reason:
    'this console is attached to no code host: set CONSOLE_GITHUB_APP_ID and CONSOLE_GITHUB_PRIVATE_KEY',
};

const read = async (): Promise<NotRead> => notSet;

/** A console without a code host: nothing is read, and nobody can vouch for a token, so every agent report is refused. */
export const noCodeHost: CodeHost = {
  source: 'github',
  installation: read,
  repositories: read,
  issues: read,
  commitStatuses: read,
  workflowRuns: read,
  workflowRun: read,
  workflowRunsOf: read,
  checkRuns: read,
  annotations: read,
  pullsOf: read,
  pullComments: read,
  commit: read,
  contains: read,
  file: read,
  async runLogs() {
    throw new ConsoleError('Unavailable', `The log was not read: ${notSet.reason}.`);
  },
  async verify() {
    throw new ConsoleError(
      'Unavailable',
      'This console has no code host to check installation tokens with, so it takes no agent reports: CONSOLE_GITHUB_PRIVATE_KEY is not set.',
    );
  },
  quota: async () => undefined,
  waitingUntil: () => undefined,
  prepare: async () => undefined,
  close: () => undefined,
};
