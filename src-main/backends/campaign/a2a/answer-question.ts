import { counted } from '#shared/text.ts';
import type { CampaignParts, StoredCampaign } from '../parts.ts';

/** The agent's reply: an answer of one or more paragraphs, or a question it must ask first. */
export type AgentAnswer =
  | { readonly kind: 'answer'; readonly paragraphs: readonly string[] }
  | { readonly kind: 'question'; readonly text: string };

/** Most campaigns an answer tells of, and most names a question offers. */
const mostListed = 200;
const mostOffered = 20;

const aboutAll = /\b(?:campaigns|list|all|overview|everything)\b/i;
const aboutOne = /\b(?:campaign|leads?|contents?|pieces?|state|status|goal|running|paused|ended|draft|it)\b/i;

/**
 * Answers a question about a person's own campaigns from what the store holds, by the names and ids in it and a few words. What it cannot
 * tell it says; it never guesses.
 */
export async function answerQuestion(
  store: CampaignParts['store'],
  owner: string,
  question: string,
): Promise<AgentAnswer> {
  const campaigns = await store.campaigns.list(owner, { limit: mostListed, after: undefined });
  if (campaigns.length === 0) return said('You have no campaigns yet.');
  const named = campaignsNamed(campaigns, question);
  if (named.length > 0) return { kind: 'answer', paragraphs: await details(store, owner, named) };
  if (aboutAll.test(question)) return { kind: 'answer', paragraphs: await overview(store, owner, campaigns) };
  if (!aboutOne.test(question)) {
    return said(
      'I tell which campaigns you have, and of each its state, goal, leads and content. Ask for "my campaigns", or for one by its name.',
    );
  }
  if (campaigns.length === 1) return { kind: 'answer', paragraphs: await details(store, owner, campaigns) };
  const names = campaigns.slice(0, mostOffered).map(({ name }) => `"${name}"`);
  const more = campaigns.length > mostOffered ? ', and others' : '';
  return { kind: 'question', text: `Which campaign do you mean? You have ${names.join(', ')}${more}.` };
}

/** Those whose id or whole name the question holds; a name within another name that it holds is not meant. */
function campaignsNamed(campaigns: readonly StoredCampaign[], question: string): StoredCampaign[] {
  const text = question.toLowerCase();
  const held = campaigns.filter(
    ({ id, name }) => question.includes(id) || holdsPhrase(text, name.toLowerCase()),
  );
  return held.filter(
    ({ id, name }) =>
      question.includes(id) ||
      !held.some(
        (other) => other.name.length > name.length && other.name.toLowerCase().includes(name.toLowerCase()),
      ),
  );
}

/** Returns whether a text holds words as such and not as parts of other words. */
function holdsPhrase(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const around = [text.slice(0, at).at(-1) ?? ' ', text.at(at + phrase.length) ?? ' '];
    if (around.every((character) => !/[\p{L}\p{N}]/u.test(character))) return true;
  }
  return false;
}

async function overview(
  store: CampaignParts['store'],
  owner: string,
  campaigns: readonly StoredCampaign[],
): Promise<string[]> {
  const total = await store.campaigns.count(owner);
  const shown = total > campaigns.length ? ` These are the ${campaigns.length} that changed last.` : '';
  return [
    `You have ${counted(total, 'campaign')}.${shown}`,
    ...campaigns.map(({ name, state }) => `"${name}" is ${stateLabels[state]}.`),
  ];
}

async function details(
  store: CampaignParts['store'],
  owner: string,
  campaigns: readonly StoredCampaign[],
): Promise<string[]> {
  const paragraphs: string[] = [];
  for (const { id, name, state, goal } of campaigns) {
    const leads = await store.leads.count(owner, id);
    const content = await store.content.count(owner, id);
    paragraphs.push(
      [
        `"${name}" is ${stateLabels[state]}.`,
        `It has ${counted(leads, 'lead')} and ${counted(content, 'piece')} of content.`,
        goal === '' ? 'It has no stated goal.' : `Its goal: ${goal}`,
      ].join(' '),
    );
  }
  return paragraphs;
}

const stateLabels: Readonly<Record<StoredCampaign['state'], string>> = {
  draft: 'a draft',
  running: 'running',
  paused: 'paused',
  ended: 'ended',
};

function said(text: string): AgentAnswer {
  return { kind: 'answer', paragraphs: [text] };
}
