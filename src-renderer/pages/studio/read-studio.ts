import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt';
import { StudioService } from '#shared/gen/studio/v1/studio_pb.js';
import { studioRpc } from '../../core/rpc.ts';
import type { StudioApp, StudioChat } from './rail-model.ts';

// Loaded when the studio is first asked, and gRPC-web with it.

/** Reads the person's chats, most recently updated first. */
export async function readChats(signal: AbortSignal): Promise<readonly StudioChat[]> {
  const { chats } = await studioRpc(StudioService.method.listChats, {}, signal);
  return chats.map(({ id, title, project, updatedAt }) => ({
    id,
    title,
    project,
    updatedAt: moment(updatedAt),
  }));
}

/** Reads the apps the person's chats have named. */
export async function readApps(signal: AbortSignal): Promise<readonly StudioApp[]> {
  const { apps } = await studioRpc(StudioService.method.listApps, {}, signal);
  return apps.map(({ name, chatId, updatedAt }) => ({ name, chatId, updatedAt: moment(updatedAt) }));
}

function moment(at: Timestamp | undefined): number | undefined {
  return at === undefined ? undefined : timestampMs(at);
}
