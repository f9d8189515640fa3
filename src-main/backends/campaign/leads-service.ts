import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import {
  Direction,
  type Lead,
  LeadMessageSchema,
  LeadSchema,
  type LeadsService,
} from '#shared/gen/campaign/v1/leads_pb.js';
import { newId } from './auth-records.ts';
import { ownCampaign, textOf } from './campaigns-service.ts';
import { type CampaignParts, caller, type StoredLead } from './parts.ts';
import { emailAddress } from './sign-in-password.ts';

/** Most leads of one campaign. */
const mostLeads = 1000;
const longestName = 200;
/** E.164: a plus and at most 15 digits, of which the first is not 0 (ITU-T E.164, 6). */
const phoneForm = /^\+[1-9]\d{1,14}$/;

/** `campaign.v1.LeadsService`. */
export function leadsService(
  { campaigns, leads, messages }: Pick<CampaignParts['store'], 'campaigns' | 'leads' | 'messages'>,
  now: () => number,
): ServiceImpl<typeof LeadsService> {
  return {
    async listLeads({ campaignId }, context) {
      const { userId } = await caller(context);
      await ownCampaign(campaigns, userId, campaignId);
      return { leads: (await leads.list(userId, campaignId)).map(leadOf) };
    },

    async createLead(request, context) {
      const { userId } = await caller(context);
      const name = textOf('name', request.name, 0, longestName);
      const email = request.email.trim() === '' ? '' : addressOf(request.email);
      const phone = request.phone.trim();
      if (phone !== '' && !phoneForm.test(phone))
        throw new ConnectError(
          'phone is not in the form of E.164: a plus, the country code and the number, such as +4915112345678.',
          Code.InvalidArgument,
        );
      if (email === '' && phone === '')
        throw new ConnectError('A lead needs an email or a phone.', Code.InvalidArgument);
      await ownCampaign(campaigns, userId, request.campaignId);
      if ((await leads.count(userId, request.campaignId)) >= mostLeads)
        throw new ConnectError(
          `The campaign has ${mostLeads} leads, which is the most it keeps.`,
          Code.ResourceExhausted,
        );
      const lead: StoredLead = {
        id: newId('l'),
        campaignId: request.campaignId,
        owner: userId,
        name,
        email,
        phone,
        createdAt: now(),
      };
      if (!(await leads.add(lead)))
        throw new ConnectError(
          'The campaign has a lead with that email or phone already.',
          Code.AlreadyExists,
        );
      return { lead: leadOf(lead) };
    },

    async listMessages({ leadId }, context) {
      const { userId } = await caller(context);
      const lead = /^l-[0-9a-f]{24}$/.test(leadId) ? await leads.find(userId, leadId) : undefined;
      if (lead === undefined) throw new ConnectError('You have no lead of that id.', Code.NotFound);
      const kept = await messages.list(lead.id);
      return {
        messages: kept.map(({ id, direction, text, at }) =>
          create(LeadMessageSchema, {
            id,
            direction: direction === 'inbound' ? Direction.INBOUND : Direction.OUTBOUND,
            text,
            at: timestampFromMs(at),
          }),
        ),
      };
    },
  };
}

function addressOf(text: string): string {
  const address = emailAddress.safeParse(text);
  if (!address.success)
    throw new ConnectError(
      'email is no address: give one such as mira.koch@example.com, of 320 characters at most.',
      Code.InvalidArgument,
    );
  return address.data;
}

function leadOf({ id, campaignId, name, email, phone, createdAt }: StoredLead): Lead {
  return create(LeadSchema, { id, campaignId, name, email, phone, createdAt: timestampFromMs(createdAt) });
}
