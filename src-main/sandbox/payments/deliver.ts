import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import type { SandboxEvent } from './account.ts';

/** Where events are delivered to. */
export type Endpoint = { readonly origin: string; readonly path: string };

/** Waits between deliveries that fail, in ms: the provider goes on for three days, the sandbox for a moment. */
const waits = [500, 2_000, 8_000];
const patienceMs = 5_000;

/** Returns the header that proves who sent a body (https://docs.stripe.com/webhooks/signature). `at` in epoch ms. */
export function signatureOf(body: string, secret: string, at: number): string {
  const time = Math.floor(at / 1000);
  const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return `t=${time},v1=${digest}`;
}

type Delivery = { readonly secret: string; readonly now: () => number };

/** Delivers an event, and tries a few times again when nobody takes it. */
export function sendEvent(endpoint: Endpoint, event: SandboxEvent, delivery: Delivery, tries = 0): void {
  const { hostname, port, host } = new URL(endpoint.origin);
  const again = (): void => {
    const wait = waits[tries];
    if (wait !== undefined) setTimeout(() => sendEvent(endpoint, event, delivery, tries + 1), wait).unref();
  };
  const sent = request(
    {
      // Names under localhost are this machine (RFC 6761 section 6.3), whatever its resolver says.
      hostname: /(^|\.)localhost$/.test(hostname) ? '127.0.0.1' : hostname,
      port,
      path: endpoint.path,
      method: 'POST',
      timeout: patienceMs,
      headers: {
        host,
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(event.json),
        'stripe-signature': signatureOf(event.json, delivery.secret, delivery.now()),
      },
    },
    (response) => {
      response.resume();
      if (response.statusCode !== 200) again();
    },
  );
  sent.on('timeout', () => sent.destroy());
  sent.on('error', again);
  sent.end(event.json);
}
