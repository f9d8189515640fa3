import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { secretFault } from './features/settings/index.ts';
import { parseStudioUpstream } from './features/studio/index.ts';

/**
 * Every variable the console reads, in one table: `docs/configuration.md` is generated from it. A value comes from the
 * environment, else from where `where` says it may be kept, else from the default named here.
 */
export const variables = [
  v(
    'env',
    'CONSOLE_LISTEN',
    'address',
    '127.0.0.1:0',
    'Address and port to listen on; port 0 lets the system choose.',
  ),
  v(
    'settings',
    'CONSOLE_PUBLIC_URL',
    'url',
    '',
    'Origin people open when it differs from the listening address, such as https://console.example.com.',
  ),
  v(
    'settings',
    'CONSOLE_ALLOWED_HOSTS',
    'list',
    '',
    'Further Host values (with port) that are this console; `*` accepts any, only behind a proxy that checks Host itself.',
  ),
  v(
    'settings',
    'CONSOLE_TRUSTED_PROXIES',
    'list',
    '',
    'Addresses or networks of proxies whose X-Forwarded-For tells who calls, such as 10.0.0.0/8; sign-in tries are counted, and records kept, by that address.',
  ),
  v(
    'env',
    'CONSOLE_DATA_DIR',
    'folder',
    '~/.local/share/operator-console',
    'Folder of the embedded store, the settings file and what names this installation.',
    { words: true },
  ),
  v(
    'env',
    'CONSOLE_DATABASE_URL',
    'postgres url',
    '',
    'PostgreSQL database to keep the store in, such as postgres://user:password@host/database; unset keeps it in the data folder.',
    { secret: true },
  ),
  v(
    'env',
    'CONSOLE_STORE_KEY',
    'base64',
    '',
    'Key of the store, at least 32 bytes; without it the key is kept in the keychain, under a passphrase or in a file (docs/keys.md).',
    { secret: true },
  ),
  v(
    'env',
    'CONSOLE_KEY_PASSPHRASE',
    'text',
    '',
    'Passphrase of a store key that `operator-console keys protect` put under one; unset asks for it on the terminal.',
    { secret: true },
  ),
  v('env', 'CONSOLE_KEYCHAIN', 'on|off', 'on', "Whether keys are kept in the system's keychain."),
  v('env', 'CONSOLE_WEB_DIR', 'folder', 'the built renderer', 'Folder of the web app bundle.', {
    words: true,
  }),
  v(
    'settings',
    'CONSOLE_LOG_LEVEL',
    'fatal|error|warn|info|debug|silent',
    'info',
    'Least severe log line that is written to standard error.',
  ),
  v(
    'env',
    'CONSOLE_LOCAL_OPERATOR',
    'on|off',
    'on',
    "The local operator: the desktop window's own session and the one-time sign-in link.",
  ),
  v(
    'settings',
    'CONSOLE_ADMIN_EMAIL',
    'email',
    'operator@console.localhost',
    'Who the password operator and the local operator are signed in as.',
  ),
  v('keys', 'CONSOLE_ADMIN_PASSWORD', 'text', '', 'Turns password sign-in on.', { secret: true }),
  v(
    'settings',
    'CONSOLE_GOOGLE_CLIENT_ID',
    'text',
    '',
    'Client id of the identity provider; turns its sign-in on.',
  ),
  v(
    'settings',
    'CONSOLE_OIDC_ISSUER',
    'url',
    'https://accounts.google.com',
    'Issuer that ID tokens must name.',
  ),
  v('settings', 'CONSOLE_OIDC_JWKS_URL', 'url', "the issuer's", "Address of the issuer's signing keys.", {
    words: true,
  }),
  v(
    'settings',
    'CONSOLE_ALLOWED_EMAILS',
    'list',
    '',
    'Who may sign in through the identity provider; unset refuses everyone.',
    { people: true },
  ),
  v(
    'env',
    'CONSOLE_SESSION_ADMINS',
    'list',
    '',
    "Who may read the audit trail, change settings and keys and end other people's sessions; unset means those named on the Access page, nobody at first.",
    { people: true },
  ),
  v(
    'settings',
    'CONSOLE_AGENT_ADMINS',
    'list',
    '',
    'Who may arm and disarm agents; unset means everyone the console admits.',
    { people: true },
  ),
  v(
    'settings',
    'CONSOLE_CONNECTION_ADMINS',
    'list',
    '',
    'Who may change data connections; unset means everyone the console admits.',
    { people: true },
  ),
  v(
    'keys',
    'CONSOLE_SESSION_KEY',
    'base64',
    '',
    'Key of the digests that sessions are stored under, at least 32 bytes; another key ends every session, and consoles on one database must share it.',
    { secret: true },
  ),
  v('settings', 'CONSOLE_SESSION_HOURS', 'hours', '12', 'Longest life of a session.'),
  v('settings', 'CONSOLE_SESSION_IDLE_HOURS', 'hours', '2', 'A session unused for this long ends.'),
  v(
    'settings',
    'STUDIO_UPSTREAM',
    'url',
    'http://studio.platform.svc.cluster.local:8080',
    'Address of the studio service.',
  ),
  v(
    'keys',
    'CONSOLE_STUDIO_IDENTITY_KEY',
    'base64',
    '',
    'Key shared with the studio, at least 32 bytes; signs the identity assertion.',
    { secret: true },
  ),
  v(
    'keys',
    'CONSOLE_HEALTH_INGEST_TOKEN',
    'token',
    '',
    'Token that apps present when they report the health of their agents; unset refuses every report.',
    { secret: true },
  ),
  v(
    'keys',
    'CONSOLE_GITHUB_PRIVATE_KEY',
    'PEM',
    '',
    "Private key of the code-host App; unset leaves the code host unread and agents' reports refused.",
    { secret: true },
  ),
  v('settings', 'RECAPTCHA_SITE_KEY', 'text', '', 'Site key the sign-up page uses.'),
  v(
    'keys',
    'STRIPE_SECRET_KEY',
    'text',
    '',
    'Key of the payment provider; unset gives quotes without a checkout.',
    { secret: true },
  ),
  v(
    'keys',
    'STRIPE_WEBHOOK_SECRET',
    'text',
    '',
    "Signing secret of the payment provider's events; unset refuses them.",
    { secret: true },
  ),
  v('settings', 'TTSD_URL', 'url', '', 'Text-to-speech service.'),
  v('keys', 'TTSD_API_KEY', 'text', '', 'Bearer token for the text-to-speech service.', { secret: true }),
  v('settings', 'VOICE_REMOTE_URL', 'url', '', 'Speech-to-text service.'),
  v('keys', 'VOICE_REMOTE_API_KEY', 'text', '', 'Bearer token for the speech-to-text service.', {
    secret: true,
  }),
] as const satisfies readonly Variable[];

/** Where a variable may be set: in the environment always; else only there, in the settings file, or as a kept key. */
export type Where = 'env' | 'settings' | 'keys';

export type Variable = {
  readonly name: string;
  readonly type: string;
  /** Value when nothing sets it; empty when it is then unset. */
  readonly default: string;
  readonly sentence: string;
  readonly where: Where;
  readonly secret: boolean;
  /** True for lists of people: only session admins see who is on them. */
  readonly people: boolean;
  /** True when `default` describes the value instead of being it. */
  readonly words: boolean;
};
export type VariableName = (typeof variables)[number]['name'];

function v<const N extends string, const W extends Where>(
  where: W,
  name: N,
  type: string,
  defaultValue: string,
  sentence: string,
  more: { secret?: boolean; people?: boolean; words?: boolean } = {},
) {
  const { secret = false, people = false, words = false } = more;
  return { where, name, type, default: defaultValue, sentence, secret, people, words } as const;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The console's settings, checked. Times in milliseconds. */
export type Config = {
  readonly listen: { readonly host: string; readonly port: number };
  readonly publicUrl: URL | undefined;
  readonly allowedHosts: readonly string[];
  /** Addresses and networks of proxies that may say who called them; undefined when there is none. */
  readonly trustedProxies: readonly string[] | undefined;
  readonly dataDir: string;
  readonly webDir: string | undefined;
  readonly logLevel: string;
  readonly localOperator: boolean;
  readonly adminEmail: string;
  /** Connection URL of a PostgreSQL database, password included; the embedded store when undefined. */
  readonly databaseUrl: string | undefined;
  readonly storeKey: Buffer | undefined;
  readonly keyPassphrase: string | undefined;
  /** Whether the system's keychain is used. */
  readonly keychain: boolean;
  readonly identityProvider:
    | { readonly clientId: string; readonly issuer: string; readonly jwksUrl: string | undefined }
    | undefined;
  readonly allowedEmails: readonly string[] | undefined;
  readonly allowlists: {
    readonly CONSOLE_SESSION_ADMINS: readonly string[] | undefined;
    readonly CONSOLE_AGENT_ADMINS: readonly string[] | undefined;
    readonly CONSOLE_CONNECTION_ADMINS: readonly string[] | undefined;
  };
  readonly sessionLifetime: { readonly absolute: number; readonly idle: number };
  readonly studio: { readonly upstream: URL };
  readonly recaptchaSiteKey: string | undefined;
  readonly voice: { readonly tts: boolean; readonly stt: boolean };
};

/** A value of the environment that cannot be used. The message names the variable and what it must be. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const hour = 3_600_000;

/**
 * Reads and checks the settings. Throws `ConfigError` at the first value that cannot be used; its message never holds a
 * secret, nor an address, which may hold a password.
 */
export function readConfig(env: Environment): Config {
  const text = (name: VariableName): string | undefined => {
    const value = env[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  };
  const fallback = (name: VariableName): string =>
    text(name) ?? variables.find((variable) => variable.name === name)?.default ?? '';
  const list = (name: VariableName): readonly string[] | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    const items = value.split(',').map((item) => item.trim().toLowerCase());
    return items.filter((item) => item !== '');
  };
  const url = (name: VariableName): URL | undefined => {
    const value = text(name);
    return value === undefined ? undefined : parseUrl(name, value);
  };
  const hours = (name: VariableName): number => {
    const value = Number(fallback(name));
    if (!Number.isFinite(value) || value <= 0 || value > 8760) {
      throw new ConfigError(`${name} is "${text(name)}": give a number of hours above 0, 8760 at most.`);
    }
    return value * hour;
  };
  const onOff = (name: VariableName): boolean => {
    const value = fallback(name);
    if (value !== 'on' && value !== 'off') throw new ConfigError(`${name} is "${value}": give on or off.`);
    return value === 'on';
  };
  const logLevel = fallback('CONSOLE_LOG_LEVEL');
  if (!['fatal', 'error', 'warn', 'info', 'debug', 'silent'].includes(logLevel)) {
    throw new ConfigError(
      `CONSOLE_LOG_LEVEL is "${logLevel}": give fatal, error, warn, info, debug or silent.`,
    );
  }
  const adminEmail = fallback('CONSOLE_ADMIN_EMAIL').toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(adminEmail)) {
    throw new ConfigError(`CONSOLE_ADMIN_EMAIL is "${adminEmail}": give an email address.`);
  }
  checkSecrets(env);
  const clientId = text('CONSOLE_GOOGLE_CLIENT_ID');
  // Checked also where no client id makes use of them: a wrong value is told when it is set.
  parseUrl('CONSOLE_OIDC_ISSUER', fallback('CONSOLE_OIDC_ISSUER'));
  const jwksUrl = url('CONSOLE_OIDC_JWKS_URL')?.href;
  return {
    listen: parseListen(fallback('CONSOLE_LISTEN'), 'CONSOLE_LISTEN'),
    publicUrl: url('CONSOLE_PUBLIC_URL'),
    allowedHosts: list('CONSOLE_ALLOWED_HOSTS') ?? [],
    trustedProxies: trustedProxies(list('CONSOLE_TRUSTED_PROXIES')),
    dataDir: text('CONSOLE_DATA_DIR') ?? defaultDataDir(env),
    webDir: text('CONSOLE_WEB_DIR'),
    logLevel,
    localOperator: onOff('CONSOLE_LOCAL_OPERATOR'),
    adminEmail,
    databaseUrl: databaseUrl(text('CONSOLE_DATABASE_URL')),
    storeKey: storeKey(env.CONSOLE_STORE_KEY),
    keyPassphrase: env.CONSOLE_KEY_PASSPHRASE || undefined,
    keychain: onOff('CONSOLE_KEYCHAIN'),
    identityProvider:
      clientId === undefined ? undefined : { clientId, issuer: fallback('CONSOLE_OIDC_ISSUER'), jwksUrl },
    allowedEmails: list('CONSOLE_ALLOWED_EMAILS'),
    allowlists: {
      CONSOLE_SESSION_ADMINS: list('CONSOLE_SESSION_ADMINS'),
      CONSOLE_AGENT_ADMINS: list('CONSOLE_AGENT_ADMINS'),
      CONSOLE_CONNECTION_ADMINS: list('CONSOLE_CONNECTION_ADMINS'),
    },
    sessionLifetime: { absolute: hours('CONSOLE_SESSION_HOURS'), idle: hours('CONSOLE_SESSION_IDLE_HOURS') },
    studio: { upstream: studioUpstream(fallback('STUDIO_UPSTREAM')) },
    recaptchaSiteKey: text('RECAPTCHA_SITE_KEY'),
    voice: { tts: url('TTSD_URL') !== undefined, stt: url('VOICE_REMOTE_URL') !== undefined },
  };
}

/** `HOST:PORT`, `[::1]:PORT` or `:PORT`'s host and port. Throws `ConfigError` naming `name`. */
export function parseListen(value: string, name: string): { host: string; port: number } {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(value);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    throw new ConfigError(`${name} is "${value}": give HOST:PORT, such as 127.0.0.1:0 or [::1]:8080.`);
  }
  return { host: match[1] ?? match[2] ?? '', port };
}

function trustedProxies(items: readonly string[] | undefined): readonly string[] | undefined {
  for (const item of items ?? []) {
    const [address = '', prefix, ...rest] = item.split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    const fits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest);
    if (isIP(address) === 0 || !fits || rest.length > 0) {
      throw new ConfigError(
        `CONSOLE_TRUSTED_PROXIES has "${item}": give IP addresses or networks, such as 10.0.0.0/8.`,
      );
    }
  }
  return items;
}

function parseUrl(name: string, value: string): URL {
  if (URL.canParse(value)) {
    const url = new URL(value);
    if ((url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '') return url;
  }
  throw new ConfigError(
    `${name} cannot be used: give an http(s) URL with a host, such as https://example.com.`,
  );
}

function databaseUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (URL.canParse(value)) {
    const { protocol, hostname, pathname } = new URL(value);
    if (/^postgres(?:ql)?:$/.test(protocol) && hostname !== '' && /^\/[^/]+$/.test(pathname)) return value;
  }
  throw new ConfigError(
    'CONSOLE_DATABASE_URL cannot be used: give postgres://USER:PASSWORD@HOST:PORT/DATABASE, with other characters than letters and digits of the password percent-encoded.',
  );
}

function storeKey(value: string | undefined): Buffer | undefined {
  if (value === undefined) return undefined;
  // Not the same as unset: an empty key would leave the store to a key that nobody chose.
  if (value.trim() === '')
    throw new ConfigError(
      'CONSOLE_STORE_KEY is set but empty: give the base64 of at least 32 random bytes, or remove the variable.',
    );
  const fault = secretFault('CONSOLE_STORE_KEY', value);
  if (fault !== undefined) throw new ConfigError(`CONSOLE_STORE_KEY ${fault}`);
  return Buffer.from(value.trim(), 'base64');
}

/** The studio identity key is not checked here: without a usable one the console serves on (spec/console.md, Studio proxy). */
function checkSecrets(env: Environment): void {
  for (const { name, where } of variables) {
    const value = env[name];
    if (where !== 'keys' || name === 'CONSOLE_STUDIO_IDENTITY_KEY' || !value?.trim()) continue;
    const fault = secretFault(name, value);
    if (fault !== undefined) throw new ConfigError(`${name} ${fault}`);
  }
}

function studioUpstream(value: string): URL {
  try {
    return parseStudioUpstream(value);
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function defaultDataDir(env: Environment): string {
  if (process.platform === 'win32') return join(env.LOCALAPPDATA ?? homedir(), 'operator-console');
  if (process.platform === 'darwin')
    return join(homedir(), 'Library', 'Application Support', 'operator-console');
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'operator-console');
}
