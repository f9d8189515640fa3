import { randomBytes } from 'node:crypto';
import { delimiter, join } from 'node:path';
import type { Logger } from 'pino';
import type { SandboxData } from '#shared/sandbox-data.ts';
import { readStudioConfig, startStudio } from '../backends/studio/index.ts';
import { closeOnce, closeTogether, openParts } from '../base/open-parts.ts';
import { writePrivateFile } from '../base/private-file.ts';
import type { Config, Environment } from '../config/index.ts';
import { startSandboxCloudProvider } from './cloud-provider/index.ts';
import { startSandboxCodeHost, type World } from './code-host/index.ts';
import { type SandboxDataPlatform, startSandboxData } from './data/index.ts';
import { type SandboxClusterOptions, startSandboxCluster } from './kubernetes/index.ts';
import type { Endpoint } from './listening.ts';
import { livePayments, readSandboxPlans, sandboxApiVersion, startSandboxPayments } from './payments/index.ts';
import { type SandboxImage, startSandboxRegistry } from './registry/index.ts';
import { startSandboxVoice } from './voice/index.ts';

/** Every so many requests the sandbox's payment provider fails once. */
const failsEvery = 17;

export type Sandbox = {
  /** What it has of data sources. */
  readonly data: SandboxData;
  /** Tells a console what its machines and agents report, once that listens. */
  report(consoleUrl: string): Promise<void>;
  /** Variables that point the console at the sandbox. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolves when it ended without being closed, such as with its process; absent where it cannot. */
  readonly ended?: Promise<void>;
  close(): Promise<void>;
};

/** Settings of the console that the platform is made by. */
export type SandboxConfig = Pick<Config, 'dataDir' | 'kubeconfig' | 'adminEmail'> & {
  readonly codeHost: Pick<Config['codeHost'], 'appId'>;
  readonly allowlists: Pick<Config['allowlists'], 'CONSOLE_SESSION_ADMINS'>;
  /** Whether the operator has speech services of their own: undefined for none. */
  readonly voice: { readonly tts?: unknown; readonly stt?: unknown };
};

export type SandboxOptions = {
  readonly config: SandboxConfig;
  readonly env: Environment;
  readonly log: Logger;
  /** True to make the local operator a session admin where the environment names nobody. */
  readonly admin: boolean;
};

/**
 * A whole small platform on loopback for a newcomer and for tests: the studio, a cluster, a code host and a registry. The studio
 * keeps its chats in the data folder; keys are new at every start and are never written down. An App of the operator's
 * own wins over the sandbox's code host. When one part does not start, the others are closed and its error is thrown.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { config, log, admin } = options;
  return openParts(log, async (opened) => {
    const studio = startStudioPart(options);
    const codeHost = config.codeHost.appId === undefined ? startCodeHostPart(log) : undefined;
    const data = startDataPart(options, codeHost);
    const parts = await openTogether(opened, [
      studio,
      data,
      startClusterPart(options, studio, codeHost),
      startCloudProviderPart(options),
      startPaymentsPart(options),
      startVoicePart(options),
      ...(codeHost === undefined ? [] : [codeHost]),
    ]);
    const admins = config.allowlists.CONSOLE_SESSION_ADMINS;
    const { platform } = await data;
    return {
      data: platform.data,
      report: platform.report,
      env: {
        ...Object.assign({}, ...parts.map(({ env }) => env)),
        ...(admin && admins === undefined ? { CONSOLE_SESSION_ADMINS: config.adminEmail } : {}),
      },
      close: closeOnce(opened, log),
    };
  });
}

/** One part of the sandbox. */
type Part = Pick<Sandbox, 'env' | 'close'>;

type StudioPart = Part & { readonly address: Endpoint };

async function startStudioPart({ config, env, log }: SandboxOptions): Promise<StudioPart> {
  const CONSOLE_STUDIO_IDENTITY_KEY = randomBytes(32).toString('base64');
  const studio = await startStudio({
    ...readStudioConfig({ ...env, CONSOLE_STUDIO_IDENTITY_KEY }),
    listen: { host: '127.0.0.1', port: 0 },
    storeFile: join(config.dataDir, 'sandbox', 'studio.db'),
    // Its start is no news to who asked for a sandbox.
    log: log.child({ backend: 'studio' }, { level: quieter(log.level) }),
  });
  const { hostname, port } = new URL(studio.url);
  return {
    address: { host: hostname, port: Number(port) },
    env: { STUDIO_UPSTREAM: studio.url, CONSOLE_STUDIO_IDENTITY_KEY },
    close: () => studio.close(),
  };
}

/**
 * The sandbox's own kubeconfig goes first, so that its context is the current one; the operator's contexts stay. What runs
 * there was built in the sandbox's code host, where there is one.
 */
async function startClusterPart(
  { config, log }: SandboxOptions,
  startingStudio: Promise<StudioPart>,
  startingCodeHost: Promise<CodeHostPart> | undefined,
): Promise<Part> {
  const [studio, codeHost] = await Promise.all([startingStudio, startingCodeHost]);
  const cluster = await startSandboxCluster({ studio: studio.address, image: codeHost?.image, log });
  const file = join(config.dataDir, 'sandbox', 'kubeconfig');
  writePrivateFile(file, cluster.kubeconfig);
  return {
    env: { CONSOLE_KUBECONFIG: [file, ...config.kubeconfig].join(delimiter) },
    close: () => cluster.close(),
  };
}

/** A fleet that is read when somebody turns the provider on with the key that lies in the data folder. */
async function startCloudProviderPart({ config, log }: SandboxOptions): Promise<Part> {
  return openParts(log, async (opened) => {
    const provider = await startSandboxCloudProvider();
    opened.defer(() => provider.close());
    writePrivateFile(join(config.dataDir, 'sandbox', 'service-account.json'), provider.serviceAccountKey);
    return {
      env: { CONSOLE_GCP_FLEET_URL: provider.url, CONSOLE_GCP_TOKEN_URL: provider.tokenUrl },
      close: closeOnce(opened, log),
    };
  });
}

/** The payment provider, with a subscription of the local operator. Its account changes while it runs, and fails at times. */
async function startPaymentsPart({ config, log }: SandboxOptions): Promise<Part> {
  return openParts(log, async (opened) => {
    const payments = await startSandboxPayments({
      catalogue: readSandboxPlans(),
      apiVersion: sandboxApiVersion,
      faultOf: (request) => (request % failsEvery === 0 ? 503 : undefined),
    });
    opened.defer(() => payments.close());
    opened.defer(livePayments(payments.account, config.adminEmail));
    return {
      env: {
        STRIPE_API_URL: payments.url,
        STRIPE_SECRET_KEY: payments.secretKey,
        STRIPE_WEBHOOK_SECRET: payments.webhookSecret,
      },
      close: closeOnce(opened, log),
    };
  });
}

/** Voice in and out where their engines are installed. A speech service of the operator's own wins. */
async function startVoicePart({ config, log }: SandboxOptions): Promise<Part> {
  return openParts(log, async (opened) => {
    const voice = await startSandboxVoice();
    opened.defer(() => voice.close());
    if (voice.missing.length > 0)
      log.info(
        { packages: voice.missing.join(' ') },
        'the sandbox has no voice without these Debian packages',
      );
    const { ttsUrl, sttUrl } = voice;
    return {
      env: {
        ...(ttsUrl === undefined || config.voice.tts !== undefined ? {} : { TTSD_URL: ttsUrl }),
        ...(sttUrl === undefined || config.voice.stt !== undefined ? {} : { VOICE_REMOTE_URL: sttUrl }),
      },
      close: closeOnce(opened, log),
    };
  });
}

/** The token of the operator's own machines stays in use where there is one. */
async function startDataPart(
  { env, log }: SandboxOptions,
  codeHost: Promise<CodeHostPart> | undefined,
): Promise<Part & { readonly platform: SandboxDataPlatform }> {
  const given = env.CONSOLE_LINEAGE_INGEST_TOKEN?.trim();
  const lineageToken = given || randomBytes(24).toString('base64url');
  const platform = await startSandboxData({
    lineageToken,
    agentToken: async () => (await codeHost)?.agentToken(),
    log: log.child({ backend: 'data' }),
  });
  return {
    platform,
    env: given ? {} : { CONSOLE_LINEAGE_INGEST_TOKEN: lineageToken },
    close: platform.close,
  };
}

type CodeHostPart = Part & {
  readonly image: NonNullable<SandboxClusterOptions['image']>;
  /** A token of the App's installation, as its agents have. */
  agentToken(): string;
};

async function startCodeHostPart(log: Logger): Promise<CodeHostPart> {
  return openParts(log, async (opened) => {
    const codeHost = await startSandboxCodeHost();
    opened.defer(() => codeHost.close());
    const registry = await startSandboxRegistry({ images: () => imagesOf(codeHost.world, Date.now()) });
    opened.defer(() => registry.close());
    return {
      image: (repository, behind) =>
        pushedImage(codeHost.world, registry.host, { repository, behind, now: Date.now() }),
      agentToken: () => codeHost.tokenOf(codeHost.installationId),
      env: {
        CONSOLE_GITHUB_APP_ID: codeHost.appId,
        CONSOLE_GITHUB_PRIVATE_KEY: codeHost.privateKey,
        CONSOLE_GITHUB_INSTALLATION_ID: String(codeHost.installationId),
        CONSOLE_GITHUB_API_URL: codeHost.url,
        CONSOLE_REGISTRY: registry.host,
      },
      close: closeOnce(opened, log),
    };
  });
}

/** Images of a world's repositories that were pushed by `now`: a tag with the whole commit id, and one with its start. */
export function imagesOf(world: World, now: number): SandboxImage[] {
  return world.organisations.flatMap(({ login, repositories }) =>
    repositories.flatMap(({ name, images }) =>
      images
        .filter(({ pushedAt }) => pushedAt <= now)
        .map(({ sha }) => ({
          name: `${login}/${name}`.toLowerCase(),
          tags: [sha, `sha-${sha.slice(0, 7)}`],
        })),
    ),
  );
}

/**
 * Whole name of a repository's image by its commit, so many pushes behind the newest at `now` (epoch ms), or of its first
 * one where it has no more. Throws for a repository without one: the seeds of cluster and code host do not fit.
 */
export function pushedImage(
  world: World,
  registryHost: string,
  requested: { readonly repository: string; readonly behind: number; readonly now: number },
): string {
  for (const { login, repositories } of world.organisations) {
    const newestFirst = repositories
      .filter(({ name }) => name === requested.repository)
      .flatMap(({ images }) => images)
      .filter(({ pushedAt }) => pushedAt <= requested.now)
      .toSorted((a, b) => b.pushedAt - a.pushedAt);
    const image = newestFirst[requested.behind] ?? newestFirst.at(-1);
    if (image !== undefined)
      return `${registryHost}/${login}/${requested.repository}:${image.sha}`.toLowerCase();
  }
  throw new Error(`the sandbox's code host has no image of ${requested.repository}`);
}

/** Waits for parts that start at the same time; they close at the same time, too. Throws the first error of a start. */
async function openTogether(
  opened: AsyncDisposableStack,
  starting: readonly Promise<Part>[],
): Promise<Part[]> {
  const ended = await Promise.allSettled(starting);
  const started = ended.flatMap((part) => (part.status === 'fulfilled' ? [part.value] : []));
  opened.defer(() => closeTogether(started));
  const failed = ended.find((part) => part.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return started;
}

function quieter(level: string): string {
  return level === 'info' ? 'warn' : level;
}
