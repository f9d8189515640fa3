import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { AgentCaller } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { Wire } from './connection.ts';
import { readSeconds } from './failures.ts';
import type { Attachment } from './github.ts';
import { noCodeHost } from './no-code-host.ts';
import type { AgentTokens } from './types.ts';

/** Time a checked token is cached, in ms (RTE-010); a rejected one is cached for less. */
const believed = 5 * 60_000;
const disbelieved = 30_000;

/** Checked tokens that are remembered, and checks under way at a time: whoever makes tokens up costs no more than this. */
const mostKept = 1000;
const mostChecks = 8;

/** Installation tokens of GitHub Apps (https://github.blog/engineering/behind-githubs-new-authentication-token-formats). */
const tokenShape = /^(?:ghs_[A-Za-z0-9_.-]{20,1000}|v1\.[0-9a-f]{40})$/;

type Verdict = AgentCaller | { readonly refused: string };

/** Checks tokens with the code host: that it is our App's, and that its installation is our organisation's. */
export function createAgentTokens(parts: {
  readonly attachment: () => Attachment | undefined;
  readonly wire: Wire;
  /** Epoch ms. */
  readonly now: () => number;
}): AgentTokens {
  const { now } = parts;
  const known = new Map<string, { readonly verdict: Verdict; readonly until: number }>();
  const underWay = new Map<string, Promise<Verdict>>();

  const check = async (token: string, to: Attachment): Promise<Verdict> => {
    const connection = await to.connection();
    if ('ok' in connection) {
      throw new ConsoleError('Unavailable', `The installation token was not checked: ${connection.reason}.`);
    }
    const { org, app, id } = connection.installation;
    const [owner, slug] = await Promise.all([
      ownerBehind(token, to, parts.wire),
      appBehind(token, to, parts.wire),
    ]);
    if (owner === undefined || slug === undefined)
      return { refused: 'The code host does not know this installation token: it may have expired.' };
    if (owner.toLowerCase() !== org.toLowerCase())
      return { refused: "This installation token is for another organisation than this console's." };
    if (slug !== app.slug)
      return { refused: 'This installation token is of another App than the console’s.' };
    return { app: slug, installation: id };
  };

  const verdictOn = async (token: string, to: Attachment): Promise<Verdict> => {
    const digest = createHash('sha256').update(token).digest('base64');
    const remembered = known.get(digest);
    if (remembered !== undefined && remembered.until > now()) return remembered.verdict;
    const pending = underWay.get(digest);
    if (pending !== undefined) return pending;
    if (underWay.size >= mostChecks) {
      throw new ConsoleError('TooManyRequests', 'Too many tokens are being checked: try again in a moment.', {
        'retry-after': '2',
      });
    }
    const checking = check(token, to).finally(() => underWay.delete(digest));
    underWay.set(digest, checking);
    const verdict = await checking;
    known.delete(digest);
    known.set(digest, { verdict, until: now() + ('refused' in verdict ? disbelieved : believed) });
    for (const oldest of known.keys()) {
      if (known.size <= mostKept) break;
      known.delete(oldest);
    }
    return verdict;
  };

  return {
    async verify(token) {
      const to = parts.attachment();
      if (to === undefined) return noCodeHost.verify(token);
      if (!tokenShape.test(token)) throw refusal('This is no installation token of a GitHub App.');
      const verdict = await verdictOn(token, to);
      if ('refused' in verdict) throw refusal(verdict.refused);
      return verdict;
    },
  };
}

function refusal(message: string): ConsoleError {
  return new ConsoleError('NotSignedIn', message, { 'www-authenticate': 'Bearer error="invalid_token"' });
}

const repositories = z.object({
  repositories: z.array(z.object({ owner: z.object({ login: z.string() }) })),
});

/** Login of the account the token's installation is in; undefined for a token the code host refuses. */
async function ownerBehind(token: string, to: Attachment, wire: Wire): Promise<string | undefined> {
  const data = await verify(token, `${base(to)}/installation/repositories?per_page=1`, {}, wire);
  if (data === undefined) return undefined;
  const parsed = repositories.safeParse(data);
  if (!parsed.success) throw notChecked('its answer was not understood');
  // An installation without a single repository belongs to nobody we could name.
  return parsed.data.repositories[0]?.owner.login;
}

const viewer = z.object({ data: z.object({ viewer: z.object({ login: z.string() }) }) });

/** Slug of the App behind the token: REST does not tell it, GraphQL's viewer is `<slug>[bot]`. */
async function appBehind(token: string, to: Attachment, wire: Wire): Promise<string | undefined> {
  const address = base(to).replace(/\/api\/v3$/, '/api');
  const body = JSON.stringify({ query: '{ viewer { login } }' });
  const data = await verify(token, `${address}/graphql`, { method: 'POST', body }, wire);
  if (data === undefined) return undefined;
  const parsed = viewer.safeParse(data);
  if (!parsed.success) throw notChecked('its answer was not understood');
  return parsed.data.data.viewer.login.replace(/\[bot\]$/, '');
}

/** The JSON of an answer; undefined for 401, 403 and 404, which are all a token's own fault. */
async function verify(
  token: string,
  address: string,
  init: { method?: string; body?: string },
  wire: Wire,
): Promise<unknown> {
  try {
    const answer = await wire.json.fetch(address, {
      ...init,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.github+json',
        'content-type': 'application/json',
        'user-agent': 'operator-console',
      },
      signal: AbortSignal.timeout(readSeconds * 1000),
    });
    if (answer.ok) return await answer.json();
    await answer.body?.cancel();
    if ([401, 403, 404].includes(answer.status) && !answer.headers.has('retry-after')) return undefined;
    throw notChecked(`the code host answered ${answer.status}`);
  } catch (error) {
    if (error instanceof ConsoleError) throw error;
    throw notChecked('the code host cannot be reached');
  }
}

function base({ settings }: Attachment): string {
  return settings.apiUrl.href.replace(/\/$/, '');
}

function notChecked(reason: string): ConsoleError {
  return new ConsoleError('Unavailable', `The installation token was not checked: ${reason}.`);
}
