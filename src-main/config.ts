import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseStudioUpstream } from './features/studio/index.ts';

/**
 * Every variable the console reads, in one table: `docs/configuration.md` is generated from it. A value comes from
 * the environment, else from the default named here.
 */
export const variables = [
  v(
    'CONSOLE_LISTEN',
    'address',
    '127.0.0.1:0',
    'Address and port the console listens on; port 0 lets the system choose.',
  ),
  v(
    'CONSOLE_PUBLIC_URL',
    'url',
    '',
    'Origin people open when it differs from the listening address, such as https://console.example.com.',
  ),
  v(
    'CONSOLE_ALLOWED_HOSTS',
    'list',
    '',
    'Further Host values (with port) that are this console; `*` accepts any, only behind a proxy that checks Host itself.',
  ),
  v('CONSOLE_DATA_DIR', 'folder', '~/.local/share/operator-console', 'Folder of the store.'),
  v('CONSOLE_WEB_DIR', 'folder', 'the built renderer', 'Folder of the web app bundle.'),
  v(
    'CONSOLE_LOG_LEVEL',
    'fatal|error|warn|info|debug|silent',
    'info',
    'Least severe log line that is written to standard error.',
  ),
  v(
    'CONSOLE_LOCAL_OPERATOR',
    'on|off',
    'on',
    "The local operator: the desktop window's own session and the one-time sign-in link.",
  ),
  v(
    'CONSOLE_ADMIN_EMAIL',
    'email',
    'operator@console.localhost',
    'Who the password operator and the local operator are signed in as.',
  ),
  v('CONSOLE_ADMIN_PASSWORD', 'text', '', 'Turns password sign-in on.', true),
  v('CONSOLE_GOOGLE_CLIENT_ID', 'text', '', 'Client id of the identity provider; turns its sign-in on.'),
  v('CONSOLE_OIDC_ISSUER', 'url', 'https://accounts.google.com', 'Issuer that ID tokens must name.'),
  v('CONSOLE_OIDC_JWKS_URL', 'url', "the issuer's", "Address of the issuer's signing keys."),
  v(
    'CONSOLE_ALLOWED_EMAILS',
    'list',
    '',
    'Who may sign in through the identity provider; unset refuses everyone.',
  ),
  v(
    'CONSOLE_SESSION_ADMINS',
    'list',
    '',
    "Who may read the audit trail and end other people's sessions; unset means nobody.",
  ),
  v(
    'CONSOLE_AGENT_ADMINS',
    'list',
    '',
    'Who may arm and disarm agents; unset means everyone the console admits.',
  ),
  v(
    'CONSOLE_CONNECTION_ADMINS',
    'list',
    '',
    'Who may change data connections; unset means everyone the console admits.',
  ),
  v('CONSOLE_SESSION_HOURS', 'hours', '12', 'Longest life of a session.'),
  v('CONSOLE_SESSION_IDLE_HOURS', 'hours', '2', 'A session unused for this long ends.'),
  v(
    'STUDIO_UPSTREAM',
    'url',
    'http://studio.platform.svc.cluster.local:8080',
    'Address of the studio service.',
  ),
  v(
    'CONSOLE_STUDIO_IDENTITY_KEY',
    'base64',
    '',
    'Key shared with the studio, at least 32 bytes; signs the identity assertion.',
    true,
  ),
  v('RECAPTCHA_SITE_KEY', 'text', '', 'Site key the sign-up page uses.'),
  v('TTSD_URL', 'url', '', 'Text-to-speech service.'),
  v('VOICE_REMOTE_URL', 'url', '', 'Speech-to-text service.'),
] as const satisfies readonly Variable[];

export type Variable = {
  readonly name: string;
  readonly type: string;
  readonly default: string;
  readonly sentence: string;
  readonly secret: boolean;
};
export type VariableName = (typeof variables)[number]['name'];

function v<const N extends string>(
  name: N,
  type: string,
  defaultValue: string,
  sentence: string,
  secret = false,
) {
  return { name, type, default: defaultValue, sentence, secret } as const;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The console's settings, checked. Times in milliseconds. */
export type Config = {
  readonly listen: { readonly host: string; readonly port: number };
  readonly publicUrl: URL | undefined;
  readonly allowedHosts: readonly string[];
  readonly dataDir: string;
  readonly webDir: string | undefined;
  readonly logLevel: string;
  readonly localOperator: boolean;
  readonly adminEmail: string;
  readonly adminPassword: string | undefined;
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
  readonly studio: { readonly upstream: URL; readonly identityKey: string | undefined };
  readonly recaptchaSiteKey: string | undefined;
  readonly voice: { readonly tts: boolean; readonly stt: boolean };
};

/** A value of the environment that cannot be used. The message names the variable and what it must be. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const hour = 3_600_000;

/** Reads and checks the settings. Throws `ConfigError` at the first value that cannot be used. */
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
  const localOperator = fallback('CONSOLE_LOCAL_OPERATOR');
  if (localOperator !== 'on' && localOperator !== 'off') {
    throw new ConfigError(`CONSOLE_LOCAL_OPERATOR is "${localOperator}": give on or off.`);
  }
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
  const clientId = text('CONSOLE_GOOGLE_CLIENT_ID');
  // Checked also where no client id makes use of them: a wrong value is told when it is set.
  parseUrl('CONSOLE_OIDC_ISSUER', fallback('CONSOLE_OIDC_ISSUER'));
  const jwksUrl = url('CONSOLE_OIDC_JWKS_URL')?.href;
  return {
    listen: parseListen(fallback('CONSOLE_LISTEN'), 'CONSOLE_LISTEN'),
    publicUrl: url('CONSOLE_PUBLIC_URL'),
    allowedHosts: list('CONSOLE_ALLOWED_HOSTS') ?? [],
    dataDir: text('CONSOLE_DATA_DIR') ?? defaultDataDir(env),
    webDir: text('CONSOLE_WEB_DIR'),
    logLevel,
    localOperator: localOperator === 'on',
    adminEmail,
    // Taken as it is: spaces may be part of a password.
    adminPassword: env.CONSOLE_ADMIN_PASSWORD === '' ? undefined : env.CONSOLE_ADMIN_PASSWORD,
    identityProvider:
      clientId === undefined ? undefined : { clientId, issuer: fallback('CONSOLE_OIDC_ISSUER'), jwksUrl },
    allowedEmails: list('CONSOLE_ALLOWED_EMAILS'),
    allowlists: {
      CONSOLE_SESSION_ADMINS: list('CONSOLE_SESSION_ADMINS'),
      CONSOLE_AGENT_ADMINS: list('CONSOLE_AGENT_ADMINS'),
      CONSOLE_CONNECTION_ADMINS: list('CONSOLE_CONNECTION_ADMINS'),
    },
    sessionLifetime: { absolute: hours('CONSOLE_SESSION_HOURS'), idle: hours('CONSOLE_SESSION_IDLE_HOURS') },
    studio: {
      upstream: studioUpstream(fallback('STUDIO_UPSTREAM')),
      identityKey: env.CONSOLE_STUDIO_IDENTITY_KEY,
    },
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

function parseUrl(name: string, value: string): URL {
  if (URL.canParse(value)) {
    const url = new URL(value);
    if ((url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '') return url;
  }
  throw new ConfigError(`${name} is "${value}": give an http(s) URL with a host.`);
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
