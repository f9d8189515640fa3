import { randomBytes } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { isLoopbackHost } from '../../base/loopback.ts';
import { envelopeKeyBytes, readEnvelopeKey } from '../sealed/index.ts';
import { httpAddress, StartupRefused } from '../serving/index.ts';
import type { CampaignConfig, MediaLocation } from './parts.ts';
import { emailAddress } from './sign-in-password.ts';
import { isDatabaseServer } from './store.ts';
import { type Environment, filled, orDefault } from './variables.ts';

/** Least bytes of a key of HMAC-SHA-256 (RFC 7518, 3.2). */
const leastSecret = 32;

/**
 * Reads the settings of the campaign backend from the environment; a blank value is none. Throws `StartupRefused` at the first one that
 * cannot be used: its sentence names the variable and never holds a secret.
 */
export function readCampaignConfig(env: Environment): CampaignConfig {
  const address = (name: Parameters<typeof filled>[1]): string | undefined => {
    const value = filled(env, name);
    return value === undefined ? undefined : httpAddress(name, value);
  };
  const store = storeOf(orDefault(env, 'CAMPAIGN_STORE'));
  const mediaLocation = mediaLocationOf(env, store);
  const publicBaseUrl = address('CAMPAIGN_PUBLIC_BASE_URL');
  const webDir = filled(env, 'CAMPAIGN_WEB_DIR');
  return {
    store,
    publicBaseUrl,
    podcastImageUrl: imageOf(filled(env, 'CAMPAIGN_PODCAST_IMAGE_URL')),
    webDir: webDir === undefined ? undefined : resolve(webDir),
    mediaLocation,
    envelopeKey: envelopeKeyOf(filled(env, 'PLATFORM_ENVELOPE_KEK'), mediaLocation),
    callingAgentUrl: address('CALLING_AGENT_URL'),
    speechToText: speechToTextOf(env, address('SPEECH_TO_TEXT_URL')),
    twilio: twilioOf(env),
    oidc: oidcOf(env),
    allowedEmails: allowedEmailsOf(env.AUTH_ALLOWED_EMAILS),
    sessionSecret: sessionSecretOf(filled(env, 'AUTH_JWT_SECRET'), store),
    admin: adminOf(filled(env, 'ADMIN_EMAIL'), env.ADMIN_PASSWORD || undefined),
    inferenceUrl: address('INFERENCE_REMOTE_URL'),
  };
}

/** Everybody reads it in the feed, so that it may hold a query but no password. */
function imageOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new StartupRefused(
      'CAMPAIGN_PODCAST_IMAGE_URL must be an http(s) address without user and password, such as https://example.com/cover.jpg.',
    );
  return url.href;
}

function storeOf(value: string): string {
  if (value === ':memory:' || isDatabaseServer(value)) return value;
  if (/^[a-z][a-z0-9+.-]+:/i.test(value))
    throw new StartupRefused(
      'CAMPAIGN_STORE must be the path of a SQLite file, or postgres://USER:PASSWORD@HOST:PORT/DATABASE.',
    );
  return resolve(value);
}

const objectStoreNames = [
  'OBJECTSTORE_BUCKET',
  'OBJECTSTORE_ACCESS_KEY_ID',
  'OBJECTSTORE_SECRET_ACCESS_KEY',
] as const;

/** Undefined only where the store does not last either: what describes media must not outlive them. */
function mediaLocationOf(env: Environment, store: string): MediaLocation | undefined {
  const dir = filled(env, 'CAMPAIGN_MEDIA_DIR');
  const named = filled(env, 'OBJECTSTORE_ENDPOINT');
  if (filled(env, 'OBJECTSTORE_USE_SSL') !== undefined)
    throw new StartupRefused(
      'OBJECTSTORE_USE_SSL is set: remove it and put the scheme in OBJECTSTORE_ENDPOINT.',
    );
  if (named === undefined) {
    const stray = objectStoreNames.find((name) => filled(env, name) !== undefined);
    if (stray !== undefined)
      throw new StartupRefused(
        `${stray} is set but OBJECTSTORE_ENDPOINT is not: name the object store, or remove both.`,
      );
    if (dir !== undefined) return { kind: 'folder', dir: resolve(dir) };
    if (store === ':memory:') return undefined;
    if (isDatabaseServer(store))
      throw new StartupRefused(
        'CAMPAIGN_STORE is a database server, so media need a place that lasts, too: set OBJECTSTORE_ENDPOINT or CAMPAIGN_MEDIA_DIR.',
      );
    return { kind: 'folder', dir: join(dirname(store), 'media') };
  }
  if (dir !== undefined)
    throw new StartupRefused(
      'CAMPAIGN_MEDIA_DIR and OBJECTSTORE_ENDPOINT are both set: media have one place, so remove one of them.',
    );
  const endpoint = httpAddress('OBJECTSTORE_ENDPOINT', named);
  const { protocol, hostname } = new URL(endpoint);
  if (protocol !== 'https:' && !isLoopbackHost(hostname))
    throw new StartupRefused(
      'OBJECTSTORE_ENDPOINT is http: cleartext object-store traffic is refused, so it needs https://.',
    );
  const [bucket, accessKeyId, secretAccessKey] = objectStoreNames.map((name) => {
    const value = filled(env, name);
    if (value === undefined)
      throw new StartupRefused(`OBJECTSTORE_ENDPOINT is set but ${name} is not: set it as well.`);
    return value;
  });
  return {
    kind: 'object-store',
    endpoint,
    bucket: bucket ?? '',
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: secretAccessKey ?? '',
    region: orDefault(env, 'OBJECTSTORE_REGION'),
  };
}

function envelopeKeyOf(value: string | undefined, mediaLocation: MediaLocation | undefined): Buffer {
  if (value !== undefined) return readEnvelopeKey(value);
  if (mediaLocation !== undefined)
    throw new StartupRefused(
      'PLATFORM_ENVELOPE_KEK is not set: media that last are sealed with it, so set it to the base64 of 32 bytes and keep it in escrow.',
    );
  // What it seals is gone with the process.
  return randomBytes(envelopeKeyBytes);
}

function speechToTextOf(env: Environment, url: string | undefined): CampaignConfig['speechToText'] {
  const apiKey = filled(env, 'SPEECH_TO_TEXT_API_KEY');
  const model = filled(env, 'SPEECH_TO_TEXT_MODEL');
  if (url !== undefined) return { url, apiKey, model };
  if (apiKey === undefined && model === undefined) return undefined;
  throw new StartupRefused(
    `SPEECH_TO_TEXT_${apiKey === undefined ? 'MODEL' : 'API_KEY'} is set but SPEECH_TO_TEXT_URL is not: set it as well.`,
  );
}

function twilioOf(env: Environment): CampaignConfig['twilio'] {
  const authToken = filled(env, 'TWILIO_AUTH_TOKEN');
  const accountSid = filled(env, 'TWILIO_ACCOUNT_SID');
  if (accountSid !== undefined && !/^AC[0-9a-fA-F]{32}$/.test(accountSid))
    throw new StartupRefused('TWILIO_ACCOUNT_SID must be AC and 32 hexadecimal digits.');
  if (authToken !== undefined) return { authToken, accountSid };
  if (accountSid === undefined) return undefined;
  throw new StartupRefused(
    'TWILIO_ACCOUNT_SID is set but TWILIO_AUTH_TOKEN is not: it checks the signatures, so set it as well.',
  );
}

function oidcOf(env: Environment): CampaignConfig['oidc'] {
  const clientId = filled(env, 'OIDC_CLIENT_ID');
  const named = filled(env, 'OIDC_ISSUER');
  const issuer = orDefault(env, 'OIDC_ISSUER');
  const { protocol, hostname } = new URL(httpAddress('OIDC_ISSUER', issuer));
  if (protocol !== 'https:' && !isLoopbackHost(hostname))
    throw new StartupRefused(
      'OIDC_ISSUER is http: its keys decide who signs in, so it needs https://; http is for this machine only.',
    );
  if (clientId !== undefined) return { issuer, clientId };
  if (named === undefined) return undefined;
  throw new StartupRefused(
    'OIDC_ISSUER is set but OIDC_CLIENT_ID is not: set it to the client that signs in here.',
  );
}

/** Unset lets in everybody with a verified address; set, it lets in those it names, and nobody when it names nobody. */
function allowedEmailsOf(value: string | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const named = value.split(',').filter((item) => item.trim() !== '');
  return named.map((item) => {
    const address = emailAddress.safeParse(item);
    if (address.success) return address.data;
    throw new StartupRefused('AUTH_ALLOWED_EMAILS must be email addresses with commas between them.');
  });
}

function sessionSecretOf(value: string | undefined, store: string): Buffer {
  if (value === undefined) {
    if (isDatabaseServer(store))
      throw new StartupRefused(
        'AUTH_JWT_SECRET is not set: the backends that share a database sign sessions with it, so give all the same one.',
      );
    return randomBytes(leastSecret);
  }
  const secret = Buffer.from(value);
  if (secret.length < leastSecret)
    throw new StartupRefused(
      `AUTH_JWT_SECRET is ${secret.length} bytes long: give ${leastSecret} or more, such as the output of openssl rand -base64 32.`,
    );
  return secret;
}

function adminOf(email: string | undefined, password: string | undefined): CampaignConfig['admin'] {
  if (email === undefined && password === undefined) return undefined;
  if (email === undefined || password === undefined)
    throw new StartupRefused(
      `${email === undefined ? 'ADMIN_PASSWORD' : 'ADMIN_EMAIL'} is set but ${email === undefined ? 'ADMIN_EMAIL' : 'ADMIN_PASSWORD'} is not: the password sign-in needs both.`,
    );
  const address = emailAddress.safeParse(email);
  if (!address.success) throw new StartupRefused('ADMIN_EMAIL must be an email address.');
  return { email: address.data, password };
}
