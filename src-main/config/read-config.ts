import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { asciiLowerCase } from '#shared/lower-case.ts';
import { errorMessage } from '../base/error-message.ts';
import { isLoopbackHost } from '../base/loopback.ts';
import { secretFault } from './secret-values.ts';
import { parseStudioEndpoint, type StudioEndpoint } from './studio-upstream.ts';
import { type VariableName, variables } from './variables.ts';

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
  /** Connection URL for the connection that listens; notices of other consoles are polled for when undefined. */
  readonly databaseListenUrl: string | undefined;
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
    readonly CONSOLE_CLUSTER_ADMINS: readonly string[] | undefined;
  };
  /** Networks in CIDR notation that are not public and that connections may be dialled in. */
  readonly connectionNetworks: readonly string[];
  readonly gcp: { readonly fleetUrl: URL; readonly tokenUrl: URL };
  readonly sessionLifetime: { readonly absolute: number; readonly idle: number };
  readonly studio: StudioEndpoint;
  readonly codeHost: CodeHostConfig;
  /** Host of the registry, with its port. */
  readonly registry: string;
  /** Files whose contexts are the targets; one that does not exist is passed over. */
  readonly kubeconfig: readonly string[];
  /** Whether the login shell's PATH counts for sign-in programs. */
  readonly loginShellPath: boolean;
  /** Model of the chat and of Ask; the grammar and the search when undefined. */
  readonly inference: { readonly url: URL; readonly model: string | undefined } | undefined;
  readonly recaptchaSiteKey: string | undefined;
  readonly recaptchaUrl: URL;
  /** Address of the payment provider's API. */
  readonly paymentsUrl: URL;
  /** Addresses of the speech services. */
  readonly voice: { readonly tts: URL | undefined; readonly stt: URL | undefined };
};

/** The console's connection to its App at the code host; the private key is a key, not a setting. */
export type CodeHostConfig = {
  readonly appId: string | undefined;
  /** The App's only installation when undefined. */
  readonly installationId: number | undefined;
  readonly apiUrl: URL;
  /** Requests an hour that are left to the agent fleet. */
  readonly reserve: number;
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
  const fallback = (name: VariableName): string => text(name) ?? defaultOf(name);
  const list = (name: VariableName): readonly string[] | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    const items = value.split(',').map((item) => asciiLowerCase(item.trim()));
    return items.filter((item) => item !== '');
  };
  const url = (name: VariableName): URL | undefined => {
    const value = text(name);
    return value === undefined ? undefined : parseUrl(name, value);
  };
  const hours = (name: VariableName): number => {
    const value = Number(fallback(name));
    if (!Number.isFinite(value) || value <= 0 || value > 8760) {
      throw new ConfigError(`${name} is "${text(name)}": use a number of hours above 0, 8760 at most.`);
    }
    return value * hour;
  };
  const onOff = (name: VariableName): boolean => {
    const value = fallback(name);
    if (value !== 'on' && value !== 'off') throw new ConfigError(`${name} is "${value}": use on or off.`);
    return value === 'on';
  };
  const logLevel = fallback('CONSOLE_LOG_LEVEL');
  if (!['fatal', 'error', 'warn', 'info', 'debug', 'silent'].includes(logLevel)) {
    throw new ConfigError(
      `CONSOLE_LOG_LEVEL is "${logLevel}": use fatal, error, warn, info, debug or silent.`,
    );
  }
  const adminEmail = asciiLowerCase(fallback('CONSOLE_ADMIN_EMAIL'));
  if (!/^[^\s@]+@[^\s@]+$/.test(adminEmail)) {
    throw new ConfigError(`CONSOLE_ADMIN_EMAIL is "${adminEmail}": use an email address.`);
  }
  checkSecrets(env);
  const proxies = list('CONSOLE_TRUSTED_PROXIES');
  const clientId = text('CONSOLE_GOOGLE_CLIENT_ID');
  const inferenceUrl = url('INFERENCE_REMOTE_URL');
  // Checked also where no client id makes use of them: a wrong value is told when it is set.
  parseUrl('CONSOLE_OIDC_ISSUER', fallback('CONSOLE_OIDC_ISSUER'));
  const jwksUrl = url('CONSOLE_OIDC_JWKS_URL')?.href;
  return {
    listen: parseListen(fallback('CONSOLE_LISTEN'), 'CONSOLE_LISTEN'),
    publicUrl: url('CONSOLE_PUBLIC_URL'),
    allowedHosts: list('CONSOLE_ALLOWED_HOSTS') ?? [],
    trustedProxies: proxies === undefined ? undefined : networks('CONSOLE_TRUSTED_PROXIES', proxies),
    dataDir: text('CONSOLE_DATA_DIR') ?? defaultDataDir(env),
    webDir: text('CONSOLE_WEB_DIR'),
    logLevel,
    localOperator: onOff('CONSOLE_LOCAL_OPERATOR'),
    adminEmail,
    databaseUrl: databaseUrl('CONSOLE_DATABASE_URL', text('CONSOLE_DATABASE_URL')),
    databaseListenUrl: databaseUrl('CONSOLE_DATABASE_LISTEN_URL', text('CONSOLE_DATABASE_LISTEN_URL')),
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
      CONSOLE_CLUSTER_ADMINS: list('CONSOLE_CLUSTER_ADMINS'),
    },
    connectionNetworks: networks(
      'CONSOLE_CONNECTION_PRIVATE_NETWORKS',
      list('CONSOLE_CONNECTION_PRIVATE_NETWORKS'),
    ),
    gcp: {
      fleetUrl: parseUrl('CONSOLE_GCP_FLEET_URL', fallback('CONSOLE_GCP_FLEET_URL')),
      tokenUrl: parseUrl('CONSOLE_GCP_TOKEN_URL', fallback('CONSOLE_GCP_TOKEN_URL')),
    },
    sessionLifetime: { absolute: hours('CONSOLE_SESSION_HOURS'), idle: hours('CONSOLE_SESSION_IDLE_HOURS') },
    studio: studioEndpoint(fallback('STUDIO_UPSTREAM')),
    codeHost: readCodeHostConfig((name) => text(name)),
    registry: registryHost(fallback('CONSOLE_REGISTRY')),
    kubeconfig: kubeconfigFiles(env),
    loginShellPath: onOff('CONSOLE_LOGIN_SHELL_PATH'),
    inference: inferenceUrl === undefined ? undefined : { url: inferenceUrl, model: text('INFERENCE_MODEL') },
    recaptchaSiteKey: text('RECAPTCHA_SITE_KEY'),
    recaptchaUrl: secretUrl('RECAPTCHA_VERIFY_URL', fallback('RECAPTCHA_VERIFY_URL')),
    paymentsUrl: secretUrl('STRIPE_API_URL', fallback('STRIPE_API_URL')),
    voice: { tts: url('TTSD_URL'), stt: url('VOICE_REMOTE_URL') },
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

/** The code host's settings from their values. Throws `ConfigError` naming the one that cannot be used. */
export function readCodeHostConfig(lookUp: (name: VariableName) => string | undefined): CodeHostConfig {
  const number = (name: VariableName, most: number): number | undefined => {
    const value = lookUp(name);
    if (value === undefined) return undefined;
    if (!/^\d{1,15}$/.test(value) || Number(value) > most)
      throw new ConfigError(`${name} is "${value}": use a whole number.`);
    return Number(value);
  };
  const apiUrl = parseUrl(
    'CONSOLE_GITHUB_API_URL',
    lookUp('CONSOLE_GITHUB_API_URL') ?? defaultOf('CONSOLE_GITHUB_API_URL'),
  );
  if (apiUrl.protocol === 'http:' && !isLoopbackHost(apiUrl.hostname)) {
    throw new ConfigError(
      'CONSOLE_GITHUB_API_URL is http: use https, because the App signs in there; http is for loopback only.',
    );
  }
  return {
    appId: number('CONSOLE_GITHUB_APP_ID', Number.MAX_SAFE_INTEGER)?.toString(),
    installationId: number('CONSOLE_GITHUB_INSTALLATION_ID', Number.MAX_SAFE_INTEGER),
    apiUrl,
    reserve: number('CONSOLE_CODE_HOST_RESERVE', 1_000_000) ?? Number(defaultOf('CONSOLE_CODE_HOST_RESERVE')),
  };
}

/** Files as kubectl finds them (kubectl: Configuring access to multiple clusters), or those of CONSOLE_KUBECONFIG. */
function kubeconfigFiles(env: Environment): readonly string[] {
  const named = env.CONSOLE_KUBECONFIG?.trim();
  if (named === 'none') return [];
  const files = (named || env.KUBECONFIG || '').split(delimiter).filter((file) => file !== '');
  return files.length > 0 ? files : [join(homedir(), '.kube', 'config')];
}

function registryHost(value: string): string {
  if (/^[a-z0-9.-]+(?::\d{1,5})?$/i.test(value)) return value.toLowerCase();
  throw new ConfigError(`CONSOLE_REGISTRY is "${value}": use HOST or HOST:PORT, such as ghcr.io.`);
}

function defaultOf(name: VariableName): string {
  return variables.find((variable) => variable.name === name)?.default ?? '';
}

/** Checks a list of addresses and networks. Throws `ConfigError` naming the variable and the item. */
function networks(name: VariableName, items: readonly string[] = []): readonly string[] {
  for (const item of items) {
    const [address = '', prefix, ...rest] = item.split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    const fits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest);
    if (isIP(address) === 0 || address.includes('%') || !fits || rest.length > 0)
      throw new ConfigError(`${name} has "${item}": use IP addresses or networks, such as 10.0.0.0/8.`);
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

/** Parses an address that a secret is sent to. Throws `ConfigError` for one that sends it in plain text over a network. */
function secretUrl(name: VariableName, value: string): URL {
  const url = parseUrl(name, value);
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    throw new ConfigError(
      `${name} is http: use https, because a secret is sent there; http is for loopback only.`,
    );
  return url;
}

function databaseUrl(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (URL.canParse(value)) {
    const { protocol, hostname, pathname } = new URL(value);
    if (/^postgres(?:ql)?:$/.test(protocol) && hostname !== '' && /^\/[^/]+$/.test(pathname)) return value;
  }
  throw new ConfigError(
    `${name} cannot be used: give postgres://USER:PASSWORD@HOST:PORT/DATABASE, with other characters than letters and digits of the password percent-encoded.`,
  );
}

function storeKey(value: string | undefined): Buffer | undefined {
  if (value === undefined) return undefined;
  // Not the same as unset: an empty key would leave the store to a key that nobody chose.
  if (value.trim() === '')
    throw new ConfigError(
      'CONSOLE_STORE_KEY is set but empty: use at least 32 random bytes in base64, or remove the variable.',
    );
  const fault = secretFault('CONSOLE_STORE_KEY', value);
  if (fault !== undefined) throw new ConfigError(`CONSOLE_STORE_KEY ${fault}`);
  return Buffer.from(value.trim(), 'base64');
}

/** The studio identity key is not checked here: without a usable one the console serves on (CON-049, CON-056). */
function checkSecrets(env: Environment): void {
  for (const { name, where } of variables) {
    const value = env[name];
    if (where !== 'keys' || name === 'CONSOLE_STUDIO_IDENTITY_KEY' || !value?.trim()) continue;
    const fault = secretFault(name, value);
    if (fault !== undefined) throw new ConfigError(`${name} ${fault}`);
  }
}

function studioEndpoint(value: string): StudioEndpoint {
  try {
    return parseStudioEndpoint(value);
  } catch (error) {
    throw new ConfigError(errorMessage(error), { cause: error });
  }
}

function defaultDataDir(env: Environment): string {
  if (process.platform === 'win32') return join(env.LOCALAPPDATA ?? homedir(), 'operator-console');
  if (process.platform === 'darwin')
    return join(homedir(), 'Library', 'Application Support', 'operator-console');
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'operator-console');
}
