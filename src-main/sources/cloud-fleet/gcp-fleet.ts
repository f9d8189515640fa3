import { request } from 'undici';
import { z } from 'zod';
import type { FleetMembership } from '#shared/api/providers.ts';
import { parsedJson } from '../../base/parsed-json.ts';
import { parseServiceAccountKey, type ServiceAccountKey, signAssertion } from './gcp-key.ts';

/** Most pages of memberships, of 100 each. */
const mostPages = 10;

/** Most bytes of one answer. */
const longestAnswer = 4 * 1024 * 1024;

/** Longest one request takes, in ms. */
const patience = 8000;

/** How long an answer is given again, in ms: opening a page twice asks once. */
const keptFor = 30_000;

export type FleetReading = {
  readonly items: readonly FleetMembership[];
  readonly complete: boolean;
  readonly unmeasured: readonly string[];
  /** Epoch milliseconds. */
  readonly readAt: number;
};

/** The fleet of a Google Cloud project (GKE Hub API, v1). */
export type GcpFleet = {
  /** Throws `FleetError` with a sentence where it cannot be read. */
  memberships(project: string, key: string): Promise<FleetReading>;
};

/** The fleet could not be read. The message says why, and never holds a secret. */
export class FleetError extends Error {
  override readonly name = 'FleetError';
}

export type GcpFleetOptions = {
  /** Origin of the GKE Hub API. */
  readonly fleetUrl: () => URL;
  /** Address where assertions are exchanged for access tokens. */
  readonly tokenUrl: () => URL;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

const membership = z.object({
  name: z.string().max(500),
  description: z.string().optional(),
  labels: z.record(z.string(), z.string()).default({}),
  state: z.object({ code: z.string().default('CODE_UNSPECIFIED') }).default({ code: 'CODE_UNSPECIFIED' }),
  endpoint: z
    .object({
      gkeCluster: z.object({ resourceLink: z.string() }).optional(),
      kubernetesMetadata: z
        .object({
          kubernetesApiServerVersion: z.string().optional(),
          nodeCount: z.number().int().optional(),
          vcpuCount: z.number().int().optional(),
          memoryMb: z.number().int().optional(),
        })
        .optional(),
    })
    .optional(),
  createTime: z.string().optional(),
  lastConnectionTime: z.string().optional(),
});

const membershipPage = z.object({
  resources: z.array(membership).default([]),
  nextPageToken: z.string().optional(),
  /** Locations that did not answer. */
  unreachable: z.array(z.string()).default([]),
});

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const errorAnswer = z.object({ error: z.object({ message: z.string(), status: z.string().optional() }) });

/** Reads the fleet with a service account's key. */
export function createGcpFleet({ fleetUrl, tokenUrl, now }: GcpFleetOptions): GcpFleet {
  let token:
    | { readonly key: string; readonly url: string; readonly value: string; readonly until: number }
    | undefined;
  let last: { readonly of: string; readonly key: string; readonly reading: FleetReading } | undefined;

  const accessToken = async (text: string, key: ServiceAccountKey): Promise<string> => {
    const url = tokenUrl().href;
    if (token?.key === text && token.url === url && token.until > now()) return token.value;
    let assertion: string;
    try {
      assertion = await signAssertion(key, url, now());
    } catch (error) {
      throw new FleetError('The private key of the service account cannot be read.', { cause: error });
    }
    const { status, json } = await call(new URL(url), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion,
      }).toString(),
    });
    const answer = tokenAnswer.safeParse(json);
    if (status !== 200 || !answer.success)
      throw new FleetError(`Google Cloud did not accept the service account key (HTTP ${status}).`);
    const { access_token: value, expires_in } = answer.data;
    token = { key: text, url, value, until: now() + Math.max(0, expires_in - 60) * 1000 };
    return value;
  };

  const read = async (project: string, bearer: string): Promise<FleetReading> => {
    const items: FleetMembership[] = [];
    const unmeasured: string[] = [];
    let pageToken: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const url = new URL(`/v1/projects/${encodeURIComponent(project)}/locations/-/memberships`, fleetUrl());
      url.searchParams.set('pageSize', '100');
      if (pageToken !== undefined) url.searchParams.set('pageToken', pageToken);
      const { status, json } = await call(url, { headers: { authorization: `Bearer ${bearer}` } });
      if (status !== 200) throw new FleetError(refusal(status, json));
      const answer = membershipPage.safeParse(json);
      if (!answer.success)
        throw new FleetError('Google Cloud answered something that is not a list of memberships.');
      items.push(...answer.data.resources.map(shownMembership));
      unmeasured.push(
        ...answer.data.unreachable.map((location) => `The location ${location} did not answer.`),
      );
      pageToken = answer.data.nextPageToken || undefined;
      if (pageToken === undefined) break;
    }
    if (pageToken !== undefined)
      unmeasured.push(`More than ${items.length} memberships: the rest was not read.`);
    return { items, complete: unmeasured.length === 0, unmeasured, readAt: now() };
  };

  return {
    async memberships(project, text) {
      const key = parseServiceAccountKey(text);
      if (key === undefined) throw new FleetError('The service account key is not one of Google Cloud.');
      const of = `${project} ${fleetUrl().href}`;
      if (last?.of === of && last.key === text && now() - last.reading.readAt < keptFor) return last.reading;
      const reading = await read(project, await accessToken(text, key));
      last = { of, key: text, reading };
      return reading;
    },
  };
}

function shownMembership({
  name,
  description,
  labels,
  state,
  endpoint,
  createTime,
  lastConnectionTime,
}: z.infer<typeof membership>): FleetMembership {
  const facts = endpoint?.kubernetesMetadata;
  const cluster = endpoint?.gkeCluster?.resourceLink;
  const created = timeOf(createTime);
  const connected = timeOf(lastConnectionTime);
  return {
    name,
    location: /\/locations\/([^/]+)\//.exec(name)?.[1] ?? 'unknown',
    state: state.code,
    labels,
    ...(description === undefined ? {} : { description }),
    ...(cluster === undefined ? {} : { cluster }),
    ...(facts?.kubernetesApiServerVersion === undefined
      ? {}
      : { kubernetes_version: facts.kubernetesApiServerVersion }),
    ...(facts?.nodeCount === undefined ? {} : { nodes: facts.nodeCount }),
    ...(facts?.vcpuCount === undefined ? {} : { vcpus: facts.vcpuCount }),
    ...(facts?.memoryMb === undefined ? {} : { memory_bytes: facts.memoryMb * 1024 * 1024 }),
    ...(created === undefined ? {} : { created_at: created }),
    ...(connected === undefined ? {} : { last_connection_at: connected }),
  };
}

/** RFC 3339 with nanoseconds as the console writes times; undefined for anything else. */
function timeOf(text: string | undefined): string | undefined {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

function refusal(status: number, json: unknown): string {
  const answer = errorAnswer.safeParse(json);
  const said = answer.success ? `: ${answer.data.error.message.slice(0, 200)}` : '';
  return `Google Cloud answered HTTP ${status} for the memberships${said}`.replace(/\.?$/, '.');
}

type CallOptions = { method?: 'POST'; headers: Record<string, string>; body?: string };

/** One request, bounded in time and size; a redirect is an answer like any other. Throws `FleetError`. */
async function call(
  url: URL,
  { method, headers, body }: CallOptions,
): Promise<{ status: number; json: unknown }> {
  try {
    const answer = await request(url, {
      method: method ?? 'GET',
      headers: { accept: 'application/json', ...headers },
      body: body ?? null,
      signal: AbortSignal.timeout(patience),
    });
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of answer.body) {
      const bytes = Buffer.from(piece);
      length += bytes.length;
      if (length > longestAnswer) throw new FleetError(`${url.host} answered more than 4 MiB.`);
      pieces.push(bytes);
    }
    return { status: answer.statusCode, json: parsedJson(Buffer.concat(pieces).toString('utf8')) };
  } catch (error) {
    if (error instanceof FleetError) throw error;
    throw new FleetError(`${url.host} could not be reached.`, { cause: error });
  }
}
