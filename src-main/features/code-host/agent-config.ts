import type { RouteOf } from '#shared/api/index.ts';
import type { RouteAnswer } from '#shared/api/route.ts';
import type { CodeHost } from '../../sources/code-host/index.ts';
import { readAgentFile } from './agent-config-file.ts';
import { readPlatformFiles } from './platform-files.ts';

/** Path of the agent settings in every repository. */
const path = '.platform/agents.yaml';

/** `GET /api/agent-config`. Never throws; what was not read is in `unmeasured`. */
export async function agentConfigs(
  codeHost: CodeHost,
  now: () => number,
  only?: string,
): Promise<RouteAnswer<RouteOf<'codeHost.agentConfig'>>> {
  const { files, reading } = await readPlatformFiles(codeHost, now, {
    path,
    what: 'Settings of agents',
    only,
  });
  return {
    items: files.map(({ repo, url, commit, state, text }) => ({
      repo,
      url,
      path,
      ...(commit === undefined ? {} : { commit }),
      file: state,
      ...(text === undefined ? { agents: [], errors: [] } : readAgentFile(text)),
    })),
    ...reading,
  };
}
