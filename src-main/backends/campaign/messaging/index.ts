import MessagingResponse from 'twilio/lib/twiml/MessagingResponse.js';
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import { type AnyRequest, type PlainRoute, RouteRefused, readBody, writeHead } from '../../serving/index.ts';
import type { CampaignParts } from '../parts.ts';
import { readForm } from './form.ts';
import { readInboundMessage } from './inbound-message.ts';

/** The route's path, as configured at the provider. */
const path = '/twilio/message';
const largestForm = 64 * 1024;

/**
 * POST `/twilio/message` (BCK-029): an inbound WhatsApp or SMS message, taken with the provider's request signature
 * alone (`X-Twilio-Signature`, checked by the provider's own package). The message lands at the newest lead of that number and is answered
 * with an empty TwiML document: nothing is written back. One that was taken already is answered the same, for the provider sends it
 * again when an answer got lost, and logs any other as an error. 403 without a right signature, 503 while `TWILIO_AUTH_TOKEN` or `CAMPAIGN_PUBLIC_BASE_URL`, which the signature is made over, is unset.
 */
export function messagingRoutes(parts: CampaignParts): PlainRoute[] {
  return [
    {
      method: 'POST',
      path,
      async answer(request, response) {
        const fields = await signedFields(parts, request);
        const message = readInboundMessage(fields);
        if (message === undefined) {
          throw new RouteRefused(
            400,
            'This is no inbound message: MessageSid, AccountSid or From is missing or has another form.',
          );
        }
        const { accountSid } = parts.config.twilio ?? {};
        if (accountSid !== undefined && message.accountSid !== accountSid)
          throw new RouteRefused(403, 'This message is of another account than TWILIO_ACCOUNT_SID.');
        await keepMessage(parts, message);
        writeHead(response, 200, {
          'content-type': 'text/xml; charset=utf-8',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
        response.end(new MessagingResponse().toString());
      },
    },
  ];
}

/** The form of a request that the provider signed. Throws 503, 415, 413, 400 or 403. */
async function signedFields(
  { config }: CampaignParts,
  request: AnyRequest,
): Promise<Record<string, string | string[]>> {
  const { twilio, publicBaseUrl } = config;
  if (twilio === undefined || publicBaseUrl === undefined) {
    throw new RouteRefused(
      503,
      'Messages are not set up: set TWILIO_AUTH_TOKEN and CAMPAIGN_PUBLIC_BASE_URL and start this backend again.',
    );
  }
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    throw new RouteRefused(415, 'A message comes as application/x-www-form-urlencoded.');
  const fields = readForm(await readBody(request, largestForm));
  const signature = request.headers['x-twilio-signature'];
  const query = /\?.*$/s.exec(request.url ?? '')?.[0] ?? '';
  // Made over the address the provider was given, which is not the one a proxy in front asks for.
  if (
    typeof signature !== 'string' ||
    !validateRequest(twilio.authToken, signature, `${publicBaseUrl}${path}${query}`, fields)
  ) {
    throw new RouteRefused(
      403,
      'The X-Twilio-Signature is not that of this message: check TWILIO_AUTH_TOKEN, and that the provider was given CAMPAIGN_PUBLIC_BASE_URL and this path.',
    );
  }
  return fields;
}

async function keepMessage(
  { store, now, log }: CampaignParts,
  message: NonNullable<ReturnType<typeof readInboundMessage>>,
): Promise<void> {
  const lead = message.phone === undefined ? undefined : await store.leads.newestWithPhone(message.phone);
  const isNew = await store.messages.add({
    id: message.sid,
    leadId: lead?.id,
    direction: 'inbound',
    text: message.text,
    at: now(),
  });
  if (isNew && lead === undefined)
    log.info({ message: message.sid }, 'a message came from a number of no lead');
}
