import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { type JsonObject, listAt, textAt, textsAt } from '../../src-main/base/json-fields.ts';

type Answer = { readonly status: number; readonly body: unknown };

/** A kind of a server, in the version it prefers. */
type Kind = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
};

/** Requests to the API server of a kubeconfig whose user has a client certificate (shared tools make such). */
export function serverOf(kubeconfig: string) {
  const config: unknown = parse(readFileSync(kubeconfig, 'utf8'));
  const [cluster] = listAt(config, 'clusters');
  const [user] = listAt(config, 'users');
  const url = textAt(cluster, 'cluster', 'server');
  const pem = (at: unknown, ...path: readonly string[]): Buffer => Buffer.from(textAt(at, ...path), 'base64');
  const tls = {
    ca: pem(cluster, 'cluster', 'certificate-authority-data'),
    cert: pem(user, 'user', 'client-certificate-data'),
    key: pem(user, 'user', 'client-key-data'),
  };
  const send = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const sent = request(new URL(path, url), { ...tls, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        // What is not served yet answers plain text.
        resolve({ status: response.statusCode ?? 0, body: /^[{[]/.test(text) ? JSON.parse(text) : {} });
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  };
  const json = { accept: 'application/json', 'content-type': 'application/json' };
  let known: readonly (Kind & { readonly namespaced: boolean })[] | undefined;
  const discover = async (): Promise<NonNullable<typeof known>> => {
    const found: (Kind & { namespaced: boolean })[] = [];
    const groups = listAt((await send('GET', '/apis', json)).body, 'groups').flatMap((group) =>
      listAt(group, 'versions').map((version) => textAt(version, 'groupVersion')),
    );
    for (const groupVersion of ['v1', ...groups]) {
      const root = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
      const [version = '', group = ''] = groupVersion.split('/').reverse();
      for (const resource of listAt((await send('GET', root, json)).body, 'resources')) {
        const plural = textAt(resource, 'name');
        if (plural.includes('/') || !textsAt(resource, 'verbs').includes('list')) continue;
        if (found.some((each) => each.group === group && each.plural === plural)) continue;
        found.push({
          group,
          version,
          plural,
          kind: textAt(resource, 'kind'),
          namespaced: resource.namespaced === true,
        });
      }
    }
    return found;
  };
  const pathOf = async (object: JsonObject): Promise<string> => {
    const apiVersion = textAt(object, 'apiVersion');
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const find = () => known?.find((each) => each.group === group && each.kind === object.kind);
    if (find() === undefined) known = await discover();
    const kind = find();
    if (kind === undefined) return '/no-such-kind';
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const namespace = textAt(object, 'metadata', 'namespace');
    return `${root}${namespace === '' ? '' : `/namespaces/${namespace}`}/${kind.plural}`;
  };
  return {
    get: (path: string, accept: string) => send('GET', path, { accept }),
    create: async (object: JsonObject) => send('POST', await pathOf(object), json, object),
    patchStatus: async (object: JsonObject, status: JsonObject) =>
      send(
        'PATCH',
        `${await pathOf(object)}/${textAt(object, 'metadata', 'name')}/status`,
        { ...json, 'content-type': 'application/merge-patch+json' },
        { status },
      ),
    remove: async (object: JsonObject) =>
      send('DELETE', `${await pathOf(object)}/${textAt(object, 'metadata', 'name')}`, json),
    kinds: async (): Promise<readonly Kind[]> => {
      known = await discover();
      return known;
    },
    /** Waits until a path is served. */
    async until(path: string): Promise<void> {
      for (let tries = 0; tries < 100; tries += 1) {
        if ((await send('GET', path, json)).status === 200) return;
        await delay(100);
      }
      throw new Error(`${path} is not served.`);
    },
  };
}
