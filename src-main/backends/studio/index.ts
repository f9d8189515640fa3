import { createContextValues } from '@connectrpc/connect';
import { StudioService } from '#shared/gen/studio/v1/studio_pb.js';
import { closeOnce, openParts } from '../../base/open-parts.ts';
import { storeTrouble } from '../../store/index.ts';
import {
  type AnyRequest,
  type AnyResponse,
  type BackendLog,
  RouteRefused,
  type Serving,
  serveBackend,
  silentLog,
  writeHead,
} from '../serving/index.ts';
import { callerKey, chatService } from './chat-service.ts';
import type { InferenceOptions } from './config.ts';
import { identityVerifier, refusal } from './identity.ts';
import { inferenceAnswerer } from './inference/index.ts';
import { planner } from './planner/index.ts';
import { runningAnswers } from './running-answers.ts';
import { openChatStore } from './store.ts';
import { builtWebDir, studioWebApp } from './web-app.ts';

export type { Serving as Studio } from '../serving/index.ts';
export { type InferenceOptions, readStudioConfig, type StudioConfig } from './config.ts';

export type StudioOptions = {
  /** Port 0 lets the system choose. */
  readonly listen: { readonly host: string; readonly port: number };
  /** HMAC key shared with the console, at least 32 bytes. */
  readonly identityKey: Buffer;
  /** Seconds that the console's clock may differ from this one's; default 0. */
  readonly clockTolerance?: number;
  /** SQLite file, or `:memory:`. */
  readonly storeFile: string;
  /** Without it the built-in planner answers, and says so. */
  readonly inference?: InferenceOptions;
  /** Folder of the web bundle. Default: `out/studio-web` of this program. */
  readonly webDir?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly log?: BackendLog;
};

/** Largest request, in bytes: a message of 32,000 characters in UTF-8 with room for its frame. */
const largestRequest = 256 * 1024;

/**
 * Starts the studio: `studio.v1.StudioService` (gRPC-web, gRPC and Connect), `/healthz`, and its web bundle, all at
 * the root. Every request but `/healthz` needs the console's identity assertion (CON-174).
 * Rejects when the port is taken, the key is short or the store cannot be opened; nothing is left running then.
 */
export async function startStudio(options: StudioOptions): Promise<Serving> {
  const { identityKey, listen, now = Date.now, log = silentLog } = options;
  if (identityKey.length < 32) throw new Error('The studio identity key must be at least 32 bytes long.');
  const serveFile = await studioWebApp(options.webDir ?? builtWebDir(), log);
  return openParts(log, async (opened) => {
    const store = await openChatStore(options.storeFile);
    opened.defer(() => store.close());
    const answerer = options.inference === undefined ? planner() : inferenceAnswerer(options.inference);
    const running = runningAnswers();
    // What had arrived of an answer that was ended is stored as interrupted.
    opened.defer(() => running.drained());
    const verify = identityVerifier(identityKey, now, options.clockTolerance ?? 0);
    log.info({ answeredBy: answerer.name }, 'the studio has what answers');

    const serving = await serveBackend({
      listen,
      name: 'studio',
      unavailable: storeTrouble,
      services: (router) =>
        router.service(StudioService, chatService({ store, answerer, running, now, log })),
      // Without a caller the methods answer UNAUTHENTICATED themselves, in the protocol the client speaks.
      contextValues: (request) => createContextValues().set(callerKey, () => verify(request)),
      plain: [{ method: 'GET', path: '/healthz', answer: answerHealth }],
      webApp: async (request, response) => {
        if ((await verify(request)) === undefined) throw new RouteRefused(401, refusal);
        serveFile(request, response);
      },
      largestMessage: largestRequest,
      stopping: stopped,
      log,
    });
    opened.defer(serving.close);
    return { ...serving, close: closeOnce(opened, log) };
  });
}

function answerHealth(_request: AnyRequest, response: AnyResponse): void {
  writeHead(response, 200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end('ok');
}

const stopped =
  'The studio is stopping and ended this answer early: what had arrived is kept. Try again in a moment.';
