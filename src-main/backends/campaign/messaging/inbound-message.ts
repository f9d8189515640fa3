import { z } from 'zod';
import { storableText } from '../../../store/index.ts';

/** Longest text kept, in characters: WhatsApp's own limit. */
const longestText = 4096;
/** Attachments of a message (Twilio, Programmable Messaging, webhook request). */
const mostMedia = 10;

/** A message of the provider, as far as it is kept. */
export type InboundMessage = {
  /** `SM…` or `MM…`: the provider's id of it, the same when it is sent again. */
  readonly sid: string;
  readonly accountSid: string;
  /** E.164; undefined for a sender that has no number, such as a short code or a name. */
  readonly phone: string | undefined;
  /** The message's text, then the addresses of its attachments, one a line. */
  readonly text: string;
};

const field = (longest: number) => z.string().max(longest);
const fieldsShape = z.object({
  MessageSid: z.string().regex(/^(?:SM|MM)[0-9a-f]{32}$/i),
  AccountSid: z.string().regex(/^AC[0-9a-f]{32}$/i),
  From: field(320),
  Body: field(longestText).default(''),
  NumMedia: z
    .string()
    .regex(/^\d{1,2}$/)
    .default('0'),
});

const sender = /^(?:whatsapp:|rcs:)?(\+[1-9]\d{1,14})$/;

/** Reads the fields of the provider's request; undefined when one is missing or has another form. */
export function readInboundMessage(
  fields: Readonly<Record<string, string | string[]>>,
): InboundMessage | undefined {
  const read = fieldsShape.safeParse(fields);
  if (!read.success) return undefined;
  const { MessageSid, AccountSid, From, Body, NumMedia } = read.data;
  const media = Array.from(
    { length: Math.min(Number(NumMedia), mostMedia) },
    (_, number) =>
      z
        .url({ protocol: /^https$/ })
        .max(1000)
        .safeParse(fields[`MediaUrl${number}`]).data,
  );
  const text = [Body, ...media].filter((each) => each !== undefined && each !== '').join('\n');
  return { sid: MessageSid, accountSid: AccountSid, phone: sender.exec(From)?.[1], text: storableText(text) };
}
