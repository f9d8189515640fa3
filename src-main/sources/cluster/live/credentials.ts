import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { isLoopbackHost } from '../../../base/loopback.ts';
import { type ExecStatus, runExecPlugin } from './exec-plugin.ts';
import { ClusterFailure, shownMinute } from './failures.ts';
import type { KubeContext, UserEntry } from './kubeconfig.ts';
import { expiryOf, type OidcTokens, refreshOidc } from './oidc-token.ts';
import type { Timing } from './timing.ts';

/** The credentials a request authenticates with. */
export type Credentials = {
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly cert: Buffer | string | undefined;
  readonly key: Buffer | string | undefined;
};

/** The credentials of one user of a kubeconfig. One run of a plugin serves all who ask meanwhile. */
export type CredentialSource = {
  /** Throws a `sign_in` failure when there are none. */
  current(): Promise<Credentials>;
  /** Told that the server did not accept these. Answers whether others are to be had. */
  refused(credentials: Credentials): Promise<boolean>;
  /** Advice for when they are rejected; a sentence. */
  readonly advice: string;
};

export type CredentialOptions = {
  readonly context: KubeContext;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** PATH for plugins; undefined: that of `env`. */
  readonly pluginPath: () => Promise<string | undefined>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly timing: Timing;
};

/** Credentials from a plugin or an identity provider, their expiry, and whether the server accepted them. */
type Fetched = {
  readonly token?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Epoch milliseconds. */
  readonly until: number;
  readonly fetchedAt: number;
};

/** Milliseconds before its end that a token is renewed; and in which a refused one is not asked for again. */
const early = 10_000;
const tooFresh = 60_000;

/** Credentials as kubectl makes them of a user (client-go rest.Config): certificates, then a token of whatever kind. */
export function createCredentials(options: CredentialOptions): CredentialSource {
  const { context, now, timing } = options;
  const { user, server } = context;
  // As kubectl, which tells nobody who listens a token; a loopback server is this machine.
  const bare = server?.protocol === 'http:' && !isLoopbackHost(server.hostname);
  let fetched: Fetched | undefined;
  let fetching: Promise<Fetched> | undefined;
  let failed: { readonly failure: ClusterFailure; readonly until: number } | undefined;
  let oidc: OidcTokens | undefined;
  let last: Credentials | undefined;

  const fetchAnew = async (): Promise<Fetched> => {
    if (user.exec !== undefined) return ofPlugin(await runPlugin(options), now());
    const config = user['auth-provider']?.config ?? {};
    oidc ??= { idToken: config['id-token'] ?? '', refreshToken: config['refresh-token'] };
    const until = expiryOf(oidc.idToken) ?? (oidc.idToken === '' ? 0 : Number.POSITIVE_INFINITY);
    if (until - early <= now() || fetched !== undefined)
      oidc = await refreshOidc(config, oidc.refreshToken, options.env, timing.plugin);
    return {
      token: oidc.idToken,
      until: expiryOf(oidc.idToken) ?? Number.POSITIVE_INFINITY,
      fetchedAt: now(),
    };
  };

  /** One attempt for all who wait; after a failed one nobody tries for a while. */
  const fetchShared = (): Promise<Fetched> => {
    if (failed !== undefined && now() < failed.until) return Promise.reject(failed.failure);
    fetching ??= fetchAnew()
      .then(
        (value) => {
          fetched = value;
          failed = undefined;
          return value;
        },
        (error: unknown) => {
          const failure =
            error instanceof ClusterFailure
              ? error
              : new ClusterFailure('sign_in', 'The sign-in of the kubeconfig failed.', undefined, {
                  cause: error,
                });
          failed = { failure, until: now() + timing.pluginAgain };
          throw failure;
        },
      )
      .finally(() => {
        fetching = undefined;
      });
    return fetching;
  };

  const isFetched = user.exec !== undefined || user['auth-provider'] !== undefined;
  const fresh = async (): Promise<Fetched | undefined> => {
    if (!isFetched) return undefined;
    return fetched !== undefined && now() < fetched.until - early ? fetched : fetchShared();
  };

  const read = async (): Promise<Credentials> => {
    const given = await fresh();
    const cert = given?.cert ?? (await pem(user['client-certificate'], user['client-certificate-data']));
    const key = given?.key ?? (await pem(user['client-key'], user['client-key-data']));
    if (cert !== undefined) checkCertificate(cert, context.userName, now());
    const token = given?.token ?? (await tokenOf(user));
    const basic = user.username === undefined ? undefined : `${user.username}:${user.password ?? ''}`;
    return {
      headers: {
        ...(token !== undefined
          ? { authorization: `Bearer ${token}` }
          : basic !== undefined
            ? { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }
            : {}),
        ...impersonation(user),
      },
      cert,
      key,
    };
  };

  return {
    async current() {
      const credentials: Credentials = bare ? { headers: {}, cert: undefined, key: undefined } : await read();
      // The same object while nothing changed, so that a connection can tell by it.
      if (last === undefined || !isSame(last, credentials)) last = credentials;
      return last;
    },
    async refused(credentials) {
      if (last !== credentials) return true;
      // Never twice in a row: what was fetched a moment ago and is refused would be refused again.
      if (fetched !== undefined && now() - fetched.fetchedAt > tooFresh) fetched = { ...fetched, until: 0 };
      else if (fetched !== undefined)
        failed = {
          failure: new ClusterFailure('sign_in', adviceOf(context)),
          until: now() + timing.pluginAgain,
        };
      return (await this.current()) !== credentials;
    },
    advice: adviceOf(context),
  };
}

async function runPlugin({ context, env, pluginPath, timing }: CredentialOptions): Promise<ExecStatus> {
  const { exec } = context.user;
  if (exec === undefined) throw new Error('the user has no exec plugin');
  const { cluster, server } = context;
  const ca = await pem(cluster['certificate-authority'], cluster['certificate-authority-data']);
  return runExecPlugin({
    exec,
    env,
    path: await pluginPath(),
    cluster: {
      server: server?.href ?? '',
      ...(ca === undefined ? {} : { 'certificate-authority-data': ca.toString('base64') }),
      ...(cluster['insecure-skip-tls-verify'] === true ? { 'insecure-skip-tls-verify': true } : {}),
      ...(cluster['tls-server-name'] === undefined ? {} : { 'tls-server-name': cluster['tls-server-name'] }),
    },
    limit: timing.plugin,
  });
}

function ofPlugin(status: ExecStatus, fetchedAt: number): Fetched {
  return {
    token: status.token,
    cert: status.clientCertificateData,
    key: status.clientKeyData,
    until:
      status.expirationTimestamp === undefined
        ? Number.POSITIVE_INFINITY
        : Date.parse(status.expirationTimestamp),
    fetchedAt,
  };
}

/** A file counts before data, as in kubectl. Throws a `sign_in` failure for a file that cannot be read. */
export async function pem(file: string | undefined, data: string | undefined): Promise<Buffer | undefined> {
  if (file !== undefined && file !== '') return fileOf(file);
  return data === undefined || data === '' ? undefined : Buffer.from(data, 'base64');
}

async function fileOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new ClusterFailure('sign_in', `${path}, which the kubeconfig names, cannot be read.`, undefined, {
      cause: error,
    });
  }
}

/** The file is read for every request: it is small, and a new token counts at once. */
async function tokenOf({ token, tokenFile }: UserEntry): Promise<string | undefined> {
  if (tokenFile !== undefined && tokenFile !== '') return (await fileOf(tokenFile)).toString('utf8').trim();
  return token === '' ? undefined : token;
}

/** The server would only say `bad certificate`. */
function checkCertificate(cert: Buffer | string, userName: string | undefined, now: number): void {
  let until: number;
  try {
    until = Date.parse(new X509Certificate(cert).validTo);
  } catch (error) {
    throw new ClusterFailure('sign_in', `The client certificate of ${userName} is not PEM.`, undefined, {
      cause: error,
    });
  }
  if (until < now)
    throw new ClusterFailure(
      'sign_in',
      `The client certificate of ${userName} expired on ${shownMinute(until)}: renew it, then retry.`,
    );
}

function impersonation(user: UserEntry): Record<string, string | string[]> {
  if (user.as === undefined || user.as === '') return {};
  return {
    'impersonate-user': user.as,
    ...(user['as-uid'] === undefined ? {} : { 'impersonate-uid': user['as-uid'] }),
    ...(user['as-groups'].length === 0 ? {} : { 'impersonate-group': user['as-groups'] }),
    ...Object.fromEntries(
      Object.entries(user['as-user-extra'] ?? {}).map(([name, values]) => [
        `impersonate-extra-${encodeURIComponent(name.toLowerCase())}`,
        values,
      ]),
    ),
  };
}

function adviceOf({ user, userName, kind, server }: KubeContext): string {
  const host = server?.host ?? 'The cluster';
  if (user.exec !== undefined)
    return `${host} does not accept what the sign-in program ${basename(user.exec.command)} gave: sign in with it in a terminal, then retry.`;
  if (kind === 'in_cluster') return `${host} does not accept the token of the console's service account.`;
  const what =
    user.token !== undefined || user.tokenFile !== undefined || user['auth-provider'] !== undefined
      ? 'token'
      : user.username !== undefined
        ? 'password'
        : user['client-certificate'] !== undefined || user['client-certificate-data'] !== undefined
          ? 'client certificate'
          : undefined;
  if (what === undefined) return `${host} asks for a sign-in, and the kubeconfig has none for this context.`;
  return `${host} does not accept the ${what} of ${userName}, which may have expired: renew it in the kubeconfig, then retry.`;
}

function isSame(one: Credentials, other: Credentials): boolean {
  return (
    String(one.cert) === String(other.cert) &&
    String(one.key) === String(other.key) &&
    JSON.stringify(one.headers) === JSON.stringify(other.headers)
  );
}
