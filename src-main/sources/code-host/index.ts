import type { AgentCaller } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';

/** Checks the installation tokens that agents present (spec/console.md, Authentication 5). */
export type AgentTokens = {
  /**
   * The App and installation behind a token of the console's organisation. Throws `NotSignedIn` for a token that the
   * code host does not vouch for, `Unavailable` when it cannot be asked.
   */
  verify(token: string): Promise<AgentCaller>;
};

/** Without a code host nobody can vouch for a token, so every agent report is refused. */
export const noCodeHost: AgentTokens = {
  async verify() {
    throw new ConsoleError(
      'Unavailable',
      'This console has no code host to check installation tokens with, so it takes no agent reports: CONSOLE_GITHUB_PRIVATE_KEY is not set.',
    );
  },
};
