import { createPrivateKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { answerWith, httpServer } from '../../base/http-server.ts';
import { closeTogether } from '../../base/open-parts.ts';
import { close, listen, urlOf } from '../listening.ts';
import { appRegistration } from './app-registration.ts';
import { createAppTokens } from './app-tokens.ts';
import { startArchiveStorage } from './archive-storage.ts';
import { sandboxApp, sandboxInstallation } from './builders.ts';
import { createFaults, type Fault } from './faults.ts';
import { createQuotas } from './quotas.ts';
import { requestHandler, type SandboxRequest } from './requests.ts';
import { seededWorld } from './seed.ts';
import type { World } from './world.ts';

export type { Fault } from './faults.ts';
export type { SandboxRequest } from './requests.ts';
export { seededWorld } from './seed.ts';
export type * from './world.ts';

export type SandboxCodeHost = {
  /** Address of the API, `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly appId: string;
  /** The first organisation's. */
  readonly installationId: number;
  /** PEM, PKCS#8; generated at each start. */
  readonly privateKey: string;
  /** Login of the first organisation. */
  readonly org: string;
  /** Every request that was answered or left hanging, in order. */
  readonly requests: readonly SandboxRequest[];
  readonly world: World;
  fault(fault: Fault): void;
  clearFaults(): void;
  /** Sets the remaining quota of the first installation until its hour is over. */
  setQuota(remaining: number): void;
  /** A new token of an installation. Throws for an installation that the world does not have. */
  tokenOf(installationId: number): string;
  revoke(token: string): void;
  close(): Promise<void>;
};

/** Requests an hour of an installation: the least the code host gives one. */
const usualQuota = 5000;

/**
 * The part of GitHub's REST API that the console reads, on loopback, answered from a world of plain data; the seeded one
 * by default, which is read when it is first needed. `latencyMs` delays every answer; `quota` is the requests an hour of
 * each installation; `now` is in epoch ms.
 *
 * Faults for whoever wants to see them, without a restart:
 *
 *     curl -X PUT http://127.0.0.1:PORT/_sandbox/faults -H 'content-type: application/json' \
 *       -d '[{"kind": "error", "status": 502, "path": "/issues", "times": 3}]'
 *
 * takes the place of all faults before it; `[]` ends them. Kinds are in faults.ts. `PUT /_sandbox/quota` takes
 * `{"remaining": 40}`.
 */
export async function startSandboxCodeHost(
  options: { world?: World; now?: () => number; latencyMs?: number; quota?: number } = {},
): Promise<SandboxCodeHost> {
  const { now = Date.now, latencyMs = 0, quota = usualQuota } = options;
  let seeded: World | undefined;
  const world = (): World => {
    if (options.world !== undefined) return options.world;
    seeded ??= seededWorld(now());
    return seeded;
  };
  const installationId = options.world?.organisations[0]?.installation.id ?? sandboxInstallation;
  const appId = options.world?.app.id ?? sandboxApp.id;
  const requests: SandboxRequest[] = [];
  const faults = createFaults();
  const quotas = createQuotas(quota, now);
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const tokens = createAppTokens(createPrivateKey(privateKey), world, now);
  const storage = await startArchiveStorage(world, now, faults);
  const server = httpServer();
  try {
    await listen(server);
  } catch (error) {
    await storage.close();
    throw error;
  }
  const url = urlOf(server);
  const archive = storage.address;
  const registration = appRegistration({ url, world, privateKey, now });
  const parts = { url, world, now, latencyMs, tokens, registration, quotas, faults, archive, requests };
  answerWith(server, { request: requestHandler(parts) });
  const setQuota = (remaining: number): void => quotas.setRemaining(installationId, remaining);
  return {
    url,
    appId: String(appId),
    installationId,
    privateKey,
    get org() {
      return world().organisations[0]?.login ?? '';
    },
    requests,
    get world() {
      return world();
    },
    fault: faults.add,
    clearFaults: faults.clear,
    setQuota,
    tokenOf(id) {
      const org = world().organisations.find(({ installation }) => installation.id === id);
      if (org === undefined) throw new Error(`the sandbox has no installation ${id}`);
      return tokens.mint(org.installation).token;
    },
    revoke: tokens.revoke,
    async close() {
      await closeTogether([{ close: () => close(server) }, storage]);
    },
  };
}
