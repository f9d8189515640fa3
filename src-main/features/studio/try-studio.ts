import { Client } from 'undici';
import { z } from 'zod';
import { readIdentityKey, signAssertion } from './assertion.ts';
import { type Dial, studioConnector } from './connector.ts';

/** Longest time the studio may take to answer, in ms. */
const patience = 5000;

/** An empty message in its frame: one byte of flags, four of length (gRPC-web). */
const emptyMessage = Buffer.alloc(5);

const statusOf = z.coerce.number().int();

export type StudioTrial =
  | { readonly ok: true; readonly tookMs: number }
  /** `reason` is one sentence for the person, without the key. */
  | { readonly ok: false; readonly reason: string };

/** Asks a studio for a person's chats as the proxy would, signed with `key`. Never throws. */
export async function tryStudio(
  { upstream, dial }: { readonly upstream: URL; readonly dial: Dial | undefined },
  key: string,
  email: string,
): Promise<StudioTrial> {
  const identity = readIdentityKey(key);
  if (!identity.ok) return { ok: false, reason: identity.reason };
  const began = performance.now();
  const studio = new Client(upstream.origin, { connect: studioConnector(upstream, dial) });
  try {
    const { statusCode, headers, body } = await studio.request({
      method: 'POST',
      path: `${upstream.pathname.replace(/\/*$/, '')}/studio.v1.StudioService/ListChats`,
      headers: {
        'content-type': 'application/grpc-web+proto',
        'x-grpc-web': '1',
        'x-console-identity': signAssertion(identity.key, email, Date.now() / 1000),
      },
      body: emptyMessage,
      signal: AbortSignal.timeout(patience),
    });
    const status = grpcStatus(headers['grpc-status'], await body.text());
    if (statusCode === 401 || statusCode === 403 || status === unauthenticated || status === denied)
      return {
        ok: false,
        reason: `The studio at ${upstream.host} answers, and does not accept what was signed with this key: give both the same key, and check that the clocks of both are right.`,
      };
    if (statusCode !== 200 || status !== 0)
      return {
        ok: false,
        reason: `${upstream.host} answers, and not as a studio does (HTTP ${statusCode}${status === undefined ? '' : `, gRPC status ${status}`}): check the address.`,
      };
    return { ok: true, tookMs: Math.round(performance.now() - began) };
  } catch {
    return {
      ok: false,
      reason: `The studio at ${upstream.host} did not answer: check that it runs, and that the address is right from the machine of the console.`,
    };
  } finally {
    await studio.destroy();
  }
}

const unauthenticated = 16;
const denied = 7;

/** The status of a gRPC-web answer: a header, or a line of the trailers at the end of the body. */
function grpcStatus(header: string | string[] | undefined, body: string): number | undefined {
  const found = header ?? /grpc-status:\s*(\d+)/i.exec(body)?.[1];
  return found === undefined ? undefined : statusOf.safeParse(found).data;
}
