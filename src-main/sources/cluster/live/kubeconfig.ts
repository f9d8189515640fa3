import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { loadAll, YAMLException } from 'js-yaml';
import { z } from 'zod';
import { flag, list, optional, text, textMap } from '../../../cluster-model/kinds/fields.ts';

/** A kubeconfig's entries for a cluster, a user and a context (client-go tools/clientcmd/api/v1). */
const clusterEntry = z.object({
  server: text,
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': flag,
  'tls-server-name': text,
  'proxy-url': text,
});
export type ClusterEntry = z.infer<typeof clusterEntry>;

const execEntry = z.object({
  apiVersion: text,
  command: z.string(),
  args: list(z.string()),
  env: list(z.object({ name: z.string(), value: z.string() })),
  installHint: text,
  provideClusterInfo: flag,
  interactiveMode: text,
});
export type ExecEntry = z.infer<typeof execEntry>;

const userEntry = z.object({
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  as: text,
  'as-uid': text,
  'as-groups': list(z.string()),
  'as-user-extra': optional(z.record(z.string(), z.array(z.string()))),
  'auth-provider': optional(z.object({ name: z.string(), config: textMap })),
  exec: optional(execEntry),
});
export type UserEntry = z.infer<typeof userEntry>;

const contextEntry = z.object({ cluster: text, user: text, namespace: text });

const named = z.object({ name: z.string() });
const file = z.object({
  'current-context': text,
  clusters: list(named.extend({ cluster: z.unknown() })),
  users: list(named.extend({ user: z.unknown() })),
  contexts: list(named.extend({ context: z.unknown() })),
});

/** One context with all it names; `fault` says why it cannot be used. */
export type KubeContext = {
  readonly name: string;
  readonly kind: 'context' | 'in_cluster';
  readonly server: URL | undefined;
  readonly fault: string | undefined;
  readonly namespace: string | undefined;
  readonly cluster: ClusterEntry;
  readonly userName: string | undefined;
  readonly user: UserEntry;
};

export type Kubeconfig = { readonly contexts: readonly KubeContext[]; readonly current: string | undefined };

const noCluster = clusterEntry.parse({});
const noUser = userEntry.parse({});

type Entry = { readonly folder: string; readonly value: unknown };

/**
 * The files merged as kubectl does: of two entries of one name the first counts, and so does the first current-context.
 * Relative paths are those of the file that holds them. A file that cannot be read is a context with a fault, so that the
 * others stay usable.
 */
export async function readKubeconfig(files: readonly string[]): Promise<Kubeconfig> {
  const clusters = new Map<string, Entry>();
  const users = new Map<string, Entry>();
  const contexts = new Map<string, Entry>();
  const broken: KubeContext[] = [];
  let current: string | undefined;
  for (const path of files) {
    const read = await readOne(path);
    if (read === undefined) continue;
    if (typeof read === 'string') {
      broken.push(faultyContext(path, read));
      continue;
    }
    const folder = dirname(path);
    for (const { name, cluster } of read.clusters) add(clusters, name, { folder, value: cluster });
    for (const { name, user } of read.users) add(users, name, { folder, value: user });
    for (const { name, context } of read.contexts) add(contexts, name, { folder, value: context });
    current ??= read['current-context'] === '' ? undefined : read['current-context'];
  }
  const resolved = [...contexts].map(([name, { value }]) => resolve(name, value, clusters, users));
  return { contexts: [...resolved, ...broken], current };
}

function add(entries: Map<string, Entry>, name: string, entry: Entry): void {
  if (!entries.has(name)) entries.set(name, entry);
}

/** Reads a file; undefined when it does not exist, a sentence when it cannot be parsed. */
async function readOne(path: string): Promise<z.infer<typeof file> | string | undefined> {
  try {
    const parsed = file.safeParse(loadAll(await readFile(path, 'utf8'))[0] ?? {});
    return parsed.success ? parsed.data : `${path} is not a kubeconfig: ${issueOf(parsed.error)}.`;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    if (error instanceof YAMLException) return `${path} is not a kubeconfig: ${error.reason}.`;
    return `${path} cannot be read: check its permissions.`;
  }
}

/** Never the value, which may be a secret. */
function issueOf(error: z.ZodError): string {
  const [first] = error.issues;
  const where = first?.path.join('.') ?? '';
  return `${where === '' ? 'its content' : where} is not what it should be`;
}

/** A context that cannot be used. */
export function faultyContext(name: string, fault: string): KubeContext {
  return {
    name,
    kind: 'context',
    server: undefined,
    fault,
    namespace: undefined,
    cluster: noCluster,
    userName: undefined,
    user: noUser,
  };
}

function resolve(
  name: string,
  value: unknown,
  clusters: ReadonlyMap<string, Entry>,
  users: ReadonlyMap<string, Entry>,
): KubeContext {
  const context = contextEntry.safeParse(value);
  if (!context.success)
    return faultyContext(name, `The context ${name} cannot be understood: ${issueOf(context.error)}.`);
  const { cluster: clusterName, user: userName, namespace } = context.data;
  if (clusterName === undefined || clusterName === '')
    return faultyContext(name, `The context ${name} names no cluster: complete it in the kubeconfig.`);
  const foundCluster = clusters.get(clusterName);
  if (foundCluster === undefined)
    return faultyContext(
      name,
      `The context ${name} names the cluster ${clusterName}, which the kubeconfig does not define.`,
    );
  const cluster = clusterEntry.safeParse(foundCluster.value);
  if (!cluster.success)
    return faultyContext(name, `The cluster ${clusterName} cannot be understood: ${issueOf(cluster.error)}.`);
  const server = serverOf(cluster.data.server);
  if (server === undefined)
    return faultyContext(
      name,
      `The cluster ${clusterName} has no usable server address: it must begin with https://.`,
    );
  const foundUser = userName === undefined || userName === '' ? undefined : users.get(userName);
  if (foundUser === undefined && userName !== undefined && userName !== '')
    return faultyContext(
      name,
      `The context ${name} names the user ${userName}, which the kubeconfig does not define.`,
    );
  const user = userEntry.safeParse(foundUser?.value ?? {});
  if (!user.success)
    return faultyContext(name, `The user ${userName} cannot be understood: ${issueOf(user.error)}.`);
  return {
    name,
    kind: 'context',
    server,
    fault: faultOf(user.data, cluster.data, userName),
    namespace: namespace === '' ? undefined : namespace,
    cluster: absolute(cluster.data, foundCluster.folder, ['certificate-authority']),
    userName,
    user: absoluteUser(user.data, foundUser?.folder ?? ''),
  };
}

function serverOf(address: string | undefined): URL | undefined {
  const server = address === undefined ? null : URL.parse(address);
  return server !== null && /^https?:$/.test(server.protocol) && server.host !== '' ? server : undefined;
}

/** Returns why a context is unusable although everything is defined. */
function faultOf(user: UserEntry, cluster: ClusterEntry, userName: string | undefined): string | undefined {
  const provider = user['auth-provider']?.name;
  if (provider !== undefined && provider !== 'oidc')
    return `The user ${userName} signs in by the auth provider ${provider}, which Kubernetes removed in 1.26: change it to an exec plugin, such as kubelogin or gke-gcloud-auth-plugin.`;
  if (user.exec?.interactiveMode === 'Always')
    return `The user ${userName} signs in by a program that needs a terminal (interactiveMode: Always), which the console does not have.`;
  const proxy = cluster['proxy-url'];
  if (proxy !== undefined && !/^(?:https?|socks5h?):$/.test(URL.parse(proxy)?.protocol ?? ''))
    return 'The proxy-url of the cluster must be an address that begins with http://, https:// or socks5://.';
  return undefined;
}

function absolute<T extends Record<string, unknown>>(
  entry: T,
  folder: string,
  fields: readonly (keyof T)[],
): T {
  const changed = { ...entry };
  for (const field of fields) {
    const path = entry[field];
    if (typeof path === 'string' && path !== '' && !isAbsolute(path))
      Object.assign(changed, { [field]: join(folder, path) });
  }
  return changed;
}

function absoluteUser(user: UserEntry, folder: string): UserEntry {
  const changed = absolute(user, folder, ['client-certificate', 'client-key', 'tokenFile']);
  // As kubectl: a command with a slash is a path, one without is looked for on PATH.
  if (changed.exec === undefined || !/[/\\]/.test(changed.exec.command)) return changed;
  return { ...changed, exec: absolute(changed.exec, folder, ['command']) };
}

const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The way a pod reaches its own cluster; undefined where this is no pod. `folder` holds `token`, `ca.crt`, `namespace`. */
export async function readInCluster(
  env: Readonly<Record<string, string | undefined>>,
  folder = serviceAccount,
): Promise<KubeContext | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
  const token = join(folder, 'token');
  if (host === undefined || host === '' || (await stampOf(token)) === '') return undefined;
  const namespace = await readFile(join(folder, 'namespace'), 'utf8').catch(() => undefined);
  const ca = join(folder, 'ca.crt');
  return {
    name: 'in-cluster',
    kind: 'in_cluster',
    server: new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`),
    fault: undefined,
    namespace: namespace?.trim(),
    cluster: { ...noCluster, ...((await stampOf(ca)) === '' ? {} : { 'certificate-authority': ca }) },
    userName: undefined,
    user: { ...noUser, tokenFile: token },
  };
}

/** Another text for another content of a file; empty when it is not there. */
export async function stampOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return '';
  }
}
