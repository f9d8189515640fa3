import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { z } from 'zod';
import { readCampaignConfig, startCampaign } from '../../src-main/backends/campaign/index.ts';
import type { Serving } from '../../src-main/backends/serving/index.ts';
import { AuthService } from '../../src-shared/gen/campaign/v1/auth_pb.js';
import { CampaignsService } from '../../src-shared/gen/campaign/v1/campaigns_pb.js';
import { ContentService } from '../../src-shared/gen/campaign/v1/content_pb.js';
import { LeadsService } from '../../src-shared/gen/campaign/v1/leads_pb.js';
import { type OidcIssuer, startOidcIssuer } from './oidc-issuer.ts';

/** The client id of campaign backends in tests. */
export const campaignClientId = 'campaign-client';

/** The JSON of a session, as the plain routes answer it. */
export const sessionJson = z.object({
  session: z.strictObject({
    accessToken: z.string(),
    accessExpiresAt: z.iso.datetime(),
    refreshToken: z.string(),
    refreshExpiresAt: z.iso.datetime(),
    user: z.strictObject({ id: z.string(), email: z.string(), name: z.string() }),
  }),
});
export type SessionJson = z.infer<typeof sessionJson>['session'];

export type LogLine = {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
};

/** A campaign backend of this process, whose people sign in at a real identity provider of this process. */
export type TestCampaign = {
  readonly url: string;
  readonly port: number;
  readonly issuer: OidcIssuer;
  readonly log: readonly LogLine[];
  /** Lets its clock be that much later from now on, in milliseconds. */
  advance(ms: number): void;
  /** A new session of the person with that address. */
  signIn(email: string): Promise<SessionJson>;
  /** POST of a JSON body. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
};

/** An identity provider that knows the backend's client; starting one takes seconds, so that a file of tests shares it. */
export const startCampaignIssuer = (): Promise<OidcIssuer> =>
  startOidcIssuer([campaignClientId, 'another-client']);

/** Starts one on a free port, with everything in memory but what `env` says, and its own issuer unless one is given. */
export async function startTestCampaign(
  env: Readonly<Record<string, string>> = {},
  given?: OidcIssuer,
): Promise<TestCampaign> {
  const issuer = given ?? (await startCampaignIssuer());
  const log: LogLine[] = [];
  const line = (level: LogLine['level']) => (fields: object, message: string) => {
    log.push({ level, fields, message });
  };
  let ahead = 0;
  let serving: Serving;
  try {
    serving = await startCampaign({
      listen: { host: '127.0.0.1', port: 0 },
      config: readCampaignConfig({
        OIDC_ISSUER: issuer.issuer,
        OIDC_CLIENT_ID: campaignClientId,
        ...env,
      }),
      now: () => Date.now() + ahead,
      log: { info: line('info'), warn: line('warn'), error: line('error') },
    });
  } catch (error) {
    if (given === undefined) await issuer.close();
    throw error;
  }
  const { url, port } = serving;
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return {
    url,
    port,
    issuer,
    log,
    advance(ms) {
      ahead += ms;
    },
    post,
    async signIn(email) {
      const answer = await post('/auth/google', { id_token: await issuer.idToken(email) });
      if (answer.status !== 200) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`);
      return sessionJson.parse(await answer.json()).session;
    },
    async close() {
      await serving.close();
      if (given === undefined) await issuer.close();
    },
  };
}

/** gRPC clients (HTTP/2) of a backend that bring this access token, or none. */
export function campaignClients(url: string, accessToken?: string) {
  const transport = createGrpcTransport({
    baseUrl: url,
    interceptors: [
      (next) => (call) => {
        if (accessToken !== undefined) call.header.set('authorization', `Bearer ${accessToken}`);
        return next(call);
      },
    ],
  });
  return {
    auth: createClient(AuthService, transport),
    campaigns: createClient(CampaignsService, transport),
    content: createClient(ContentService, transport),
    leads: createClient(LeadsService, transport),
  };
}

/** The name of the code a call ended with, or `answered`. */
export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    (error: unknown) => Code[ConnectError.from(error).code] ?? '',
  );
