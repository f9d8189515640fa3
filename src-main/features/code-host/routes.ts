import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { agentConfigs } from './agent-config.ts';
import { type AttachParts, attach } from './attach.ts';
import { readAttachment } from './attachment.ts';
import { createdApps } from './created-apps.ts';

type CodeHostRouteId = Extract<RouteId, `codeHost.${string}`>;

/** The routes of the code host itself: how the console is attached to it, and what agents are set to. */
export function codeHostHandlers(parts: AttachParts): Handlers<CodeHostRouteId> {
  const created = createdApps(parts);
  return {
    'codeHost.appManifest': ({ body }, call) => created.begin(body, call),
    'codeHost.createdApp': ({ body }, call) => created.finish(body, call),
    'codeHost.read': () => readAttachment(parts),
    'codeHost.attach': async ({ body }, call) => {
      await attach(parts, body, call.record);
      return readAttachment(parts);
    },
    'codeHost.agentConfig': ({ query }) => agentConfigs(parts.codeHost, parts.now, query.repo),
  };
}
