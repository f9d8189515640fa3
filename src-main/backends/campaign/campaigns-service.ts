import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { z } from 'zod';
import {
  type Campaign,
  CampaignSchema,
  CampaignState,
  type CampaignsService,
} from '#shared/gen/campaign/v1/campaigns_pb.js';
import { newId } from './auth-records.ts';
import {
  type CampaignCursor,
  type CampaignRecords,
  caller,
  type StoredCampaign,
  type StoredCampaignState,
} from './parts.ts';

/** Most campaigns one person keeps. */
const mostCampaigns = 1000;
const usualPage = 50;
const longestPage = 200;
const longestName = 200;
const longestGoal = 2000;

const states: Readonly<Record<StoredCampaignState, CampaignState>> = {
  draft: CampaignState.DRAFT,
  running: CampaignState.RUNNING,
  paused: CampaignState.PAUSED,
  ended: CampaignState.ENDED,
};
/** Allowed transitions from each state (campaign.v1, SetCampaignState). */
const moves: Readonly<Record<StoredCampaignState, readonly StoredCampaignState[]>> = {
  draft: ['running'],
  running: ['paused', 'ended'],
  paused: ['running', 'ended'],
  ended: [],
};

/** `campaign.v1.CampaignsService`. */
export function campaignsService(
  campaigns: CampaignRecords,
  now: () => number,
): ServiceImpl<typeof CampaignsService> {
  return {
    async listCampaigns({ pageSize, pageToken }, context) {
      const { userId } = await caller(context);
      if (pageSize < 0 || pageSize > longestPage)
        throw new ConnectError(
          `page_size is ${pageSize}: give 1 to ${longestPage}, or 0 for ${usualPage}.`,
          Code.InvalidArgument,
        );
      const size = pageSize === 0 ? usualPage : pageSize;
      // One more than asked for tells whether there is a next page.
      const found = await campaigns.list(userId, { limit: size + 1, after: cursorOf(pageToken) });
      const page = found.slice(0, size);
      const last = page.at(-1);
      return {
        campaigns: page.map(campaignOf),
        nextPageToken: found.length > size && last !== undefined ? tokenOf(last) : '',
      };
    },

    async getCampaign({ id }, context) {
      const { userId } = await caller(context);
      return { campaign: campaignOf(await ownCampaign(campaigns, userId, id)) };
    },

    async createCampaign({ name, goal }, context) {
      const { userId } = await caller(context);
      if ((await campaigns.count(userId)) >= mostCampaigns)
        throw new ConnectError(
          `You have ${mostCampaigns} campaigns, which is the most this backend keeps for a person.`,
          Code.ResourceExhausted,
        );
      const at = now();
      const campaign: StoredCampaign = {
        id: newId('c'),
        owner: userId,
        name: textOf('name', name, 1, longestName),
        goal: textOf('goal', goal, 0, longestGoal),
        state: 'draft',
        createdAt: at,
        updatedAt: at,
      };
      await campaigns.add(campaign);
      return { campaign: campaignOf(campaign) };
    },

    async setCampaignState({ id, state }, context) {
      const { userId } = await caller(context);
      const to = storedStates.find((stored) => states[stored] === state);
      if (to === undefined)
        throw new ConnectError(
          'state names no state of a campaign: give draft, running, paused or ended.',
          Code.InvalidArgument,
        );
      const { state: from } = await ownCampaign(campaigns, userId, id);
      if (!moves[from].includes(to)) throw new ConnectError(refusedMove(from, to), Code.FailedPrecondition);
      const moved = await campaigns.move(userId, id, from, to, now());
      if (moved === undefined)
        throw new ConnectError(
          'The campaign was moved by somebody else at the same moment: look at it again.',
          Code.FailedPrecondition,
        );
      return { campaign: campaignOf(moved) };
    },
  };
}

const storedStates: readonly StoredCampaignState[] = ['draft', 'running', 'paused', 'ended'];

function refusedMove(from: StoredCampaignState, to: StoredCampaignState): string {
  const [first, ...others] = moves[from];
  if (first === undefined) return `The campaign is ${from} and stays so.`;
  return `A ${from} campaign cannot become ${to}: it can become ${[first, ...others].join(' or ')}.`;
}

/** The caller's campaign. Throws NOT_FOUND for one that is not theirs, in the same words as for none. */
export async function ownCampaign(
  campaigns: CampaignRecords,
  userId: string,
  id: string,
): Promise<StoredCampaign> {
  const campaign = /^c-[0-9a-f]{24}$/.test(id) ? await campaigns.find(userId, id) : undefined;
  if (campaign === undefined) throw new ConnectError('You have no campaign of that id.', Code.NotFound);
  return campaign;
}

/** A text that can be kept, trimmed. Throws INVALID_ARGUMENT naming `field`; lengths are in characters. */
export function textOf(field: string, text: string, least: number, most: number): string {
  const kept = text.trim();
  const length = [...kept].length;
  if (length < least || length > most)
    throw new ConnectError(
      `${field} has ${length} characters: give ${least} to ${most}.`,
      Code.InvalidArgument,
    );
  // Tabs and line ends are text; other control characters are not, and PostgreSQL keeps no NUL.
  if (/[^\P{Cc}\t\r\n]|\p{Cs}/u.test(kept))
    throw new ConnectError(`${field} holds a control character.`, Code.InvalidArgument);
  return kept;
}

function campaignOf({ id, name, goal, state, createdAt, updatedAt }: StoredCampaign): Campaign {
  return create(CampaignSchema, {
    id,
    name,
    goal,
    state: states[state],
    createdAt: timestampFromMs(createdAt),
    updatedAt: timestampFromMs(updatedAt),
  });
}

const cursorForm = z.tuple([z.int().nonnegative(), z.string().regex(/^c-[0-9a-f]{24}$/)]);

function tokenOf({ updatedAt, id }: CampaignCursor): string {
  return Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url');
}

function cursorOf(token: string): CampaignCursor | undefined {
  if (token === '') return undefined;
  try {
    const json = token.length > 100 ? '' : Buffer.from(token, 'base64url').toString('utf8');
    const [updatedAt, id] = cursorForm.parse(JSON.parse(json));
    return { updatedAt, id };
  } catch {
    throw new ConnectError(
      'page_token is none of ours: send the next_page_token of the answer before.',
      Code.InvalidArgument,
    );
  }
}
