import { createHash } from 'node:crypto';
import type { Response } from 'undici';
import { z } from 'zod';
import { isLoopbackHost } from '../../base/loopback.ts';
import { createOutgoing } from '../outgoing.ts';
import { type Challenge, readChallenge } from './challenge.ts';
import { NotRead, reasonOf } from './failures.ts';
import { createRemembered } from './remembered.ts';
import type { ManifestRead, Registry } from './types.ts';

export type RegistryOptions = {
  /** `USER:PASSWORD`, read with every use; undefined asks as nobody. */
  readonly credentials: () => string | undefined;
  /** The only registry that is given the credentials, with its port. */
  readonly host: string;
  /** Epoch ms. */
  readonly now: () => number;
};

/** Seconds one read may take, every tag and the sign-in included. */
const readSeconds = 5;

/** Time an answer is cached, in ms: a tag may move, one that is a commit's full id does not. */
const fresh = 60_000;
const settled = 3_600_000;
const failed = 10_000;

/** Answers and tokens that are kept, and bytes of one answer that are read. */
const mostAnswers = 2000;
const mostTokens = 500;
const largestAnswer = 4 * 1024 * 1024;

/** Media types a tag may resolve to: an image or an index of images, OCI's and Docker's. */
const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** The result of resolving one tag. */
type Found = { readonly digest: string | undefined; readonly readAt: number };
type Answer = Found | { readonly reason: string };

/**
 * Registries through the OCI distribution API (https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md,
 * end-3): asked as nobody first, then as the challenge says. Plain http only on this machine.
 */
export function createRegistry({ credentials, host: configured, now }: RegistryOptions): Registry {
  const outgoing = createOutgoing({ largest: largestAnswer });
  const answers = createRemembered<Answer>(mostAnswers, now);
  const tokens = createRemembered<string>(mostTokens, now);
  const underWay = new Map<string, Promise<Answer>>();

  const request = (
    address: string,
    init: { method?: string; headers?: Record<string, string>; signal: AbortSignal },
  ) => outgoing.fetch(address, { ...init, redirect: 'manual' });

  const ownOf = ({ host }: ImageName): string | undefined =>
    host === configured.toLowerCase() ? credentials() : undefined;

  const refusedBy = (response: Response, name: ImageName): NotRead => {
    void response.body?.cancel();
    const { status } = response;
    const { host } = name;
    if (status === 401 || status === 403) {
      if (ownOf(name) !== undefined)
        return new NotRead(`the registry ${host} does not show it to this console`);
      const why =
        host === configured.toLowerCase()
          ? 'CONSOLE_REGISTRY_TOKEN is not set'
          : 'this console has no credentials for it';
      return new NotRead(`the registry ${host} does not show it to everybody, and ${why}`);
    }
    if (status === 429) return new NotRead(`the registry ${host} asked this console to wait`);
    if (status >= 300 && status < 400) return new NotRead(`the registry ${host} sends its callers elsewhere`);
    return new NotRead(`the registry ${host} answered ${status}`);
  };

  /** The Authorization header that answers a challenge, or undefined when there is nothing to answer it with. */
  const authorize = async (
    challenge: Challenge,
    name: ImageName,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const own = ownOf(name);
    const basic = own === undefined ? undefined : `Basic ${Buffer.from(own).toString('base64')}`;
    if (challenge.scheme === 'basic') return basic;
    const realm = realmOf(challenge.realm, name);
    const scope = `repository:${name.name}:pull`;
    if (challenge.service !== undefined) realm.searchParams.set('service', challenge.service);
    realm.searchParams.set('scope', scope);
    const key = createHash('sha256')
      .update(`${realm.href}\n${basic ?? ''}`)
      .digest('base64');
    const kept = tokens.get(key);
    if (kept !== undefined) return `Bearer ${kept}`;
    const response = await request(realm.href, {
      signal,
      headers: basic === undefined ? {} : { authorization: basic },
    });
    if (!response.ok) throw refusedBy(response, name);
    const { token, access_token, expires_in } = await jsonOf(response, tokenShape, name);
    const given = token ?? access_token;
    if (given === undefined) throw new NotRead(`the registry ${name.host} gave no token`);
    // Not to its last moment: it must still be good when it arrives.
    tokens.set(key, given, Math.max(expires_in - 10, 0) * 1000);
    return `Bearer ${given}`;
  };

  const readTag = async (name: ImageName, tag: string, signal: AbortSignal): Promise<Found> => {
    const address = `${name.base}/v2/${name.name}/manifests/${tag}`;
    const send = (method: string, authorization?: string) =>
      request(address, {
        method,
        signal,
        headers: { accept: manifestTypes, ...(authorization === undefined ? {} : { authorization }) },
      });
    let response = await send('HEAD');
    let authorization: string | undefined;
    if (response.status === 401) {
      const challenge = readChallenge(response.headers.get('www-authenticate') ?? '');
      authorization = challenge === undefined ? undefined : await authorize(challenge, name, signal);
      if (authorization === undefined) throw refusedBy(response, name);
      response = await send('HEAD', authorization);
    }
    if (response.status === 404) return { digest: undefined, readAt: now() };
    if (!response.ok) throw refusedBy(response, name);
    const digest = response.headers.get('docker-content-digest') ?? '';
    if (digestShape.test(digest)) return { digest, readAt: now() };
    // The header is optional: the digest is that of the bytes.
    response = await send('GET', authorization);
    if (!response.ok) throw refusedBy(response, name);
    const bytes = Buffer.from(await response.arrayBuffer());
    return { digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, readAt: now() };
  };

  const tagOf = (name: ImageName, tag: string, signal: AbortSignal): Promise<Answer> => {
    const key = `${name.host}/${name.name}:${tag}`;
    const kept = answers.get(key);
    if (kept !== undefined) return Promise.resolve(kept);
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const reading = readTag(name, tag, signal)
      .catch((error: unknown): Answer => ({ reason: reasonOf(error, name.host, readSeconds) }))
      .then((answer) => {
        const sure = 'digest' in answer && answer.digest !== undefined && commitShape.test(tag);
        answers.set(key, answer, 'reason' in answer ? failed : sure ? settled : fresh);
        return answer;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  };

  return {
    async manifest(image, tags): Promise<ManifestRead> {
      const name = imageNameOf(image);
      if (name === undefined || !tags.every((tag) => tagShape.test(tag)))
        return { ok: false, reason: 'this is no name of an image that a registry could have' };
      const signal = AbortSignal.timeout(readSeconds * 1000);
      let readAt = now();
      for (const tag of tags) {
        const answer = await tagOf(name, tag, signal);
        if ('reason' in answer) return { ok: false, reason: answer.reason };
        readAt = Math.min(readAt, answer.readAt);
        if (answer.digest !== undefined) return { ok: true, value: { digest: answer.digest, tag }, readAt };
      }
      return { ok: true, value: undefined, readAt };
    },
    close: outgoing.close,
  };
}

const commitShape = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const digestShape = /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/;
/** Patterns from the distribution spec, Pulling manifests. */
const tagShape = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const nameShape = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const hostShape = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/;

const tokenShape = z.object({
  token: z.string().min(1).optional(),
  access_token: z.string().min(1).optional(),
  // What is not said is a minute, by the token specification.
  expires_in: z.number().catch(60).default(60),
});

/** The registry and repository of an image. */
type ImageName = { readonly host: string; readonly base: string; readonly name: string };

function imageNameOf(image: string): ImageName | undefined {
  const slash = image.indexOf('/');
  const host = image.slice(0, slash).toLowerCase();
  const name = image.slice(slash + 1);
  if (slash < 1 || !hostShape.test(host) || name.length > 255 || !nameShape.test(name)) return undefined;
  const base = `${isLoopbackHost(withoutPort(host)) ? 'http' : 'https'}://${host}`;
  return URL.canParse(base) ? { host, base, name } : undefined;
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '');
}

/** The token service; http only where the registry itself is on this machine, too. */
function realmOf(text: string, name: ImageName): URL {
  const realm = URL.canParse(text) ? new URL(text) : undefined;
  const plain =
    realm?.protocol === 'http:' && isLoopbackHost(realm.hostname) && isLoopbackHost(withoutPort(name.host));
  if (realm === undefined || (realm.protocol !== 'https:' && !plain) || realm.username !== '')
    throw new NotRead(`the registry ${name.host} names a token service that is not safe to ask`);
  return realm;
}

async function jsonOf<T>(response: Response, shape: z.ZodType<T>, { host }: ImageName): Promise<T> {
  const parsed = shape.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success) throw new NotRead(`the answer of the registry ${host} was not understood`);
  return parsed.data;
}
