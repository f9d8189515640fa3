import { setTimeout as delay } from 'node:timers/promises';
import { counted } from '#shared/text.ts';
import type { Answerer, Conversation } from '../answerer.ts';
import { appName } from './app-name.ts';
import { listed, planOf } from './plan.ts';

/** The pause between two pieces, in milliseconds: a plan is made at once, but should be read as it comes. */
const pauseMs = 15;
/** Most pieces of one answer, so that the pauses add up to less than 2 s. */
const mostPieces = 100;

/**
 * The answerer when no model is connected: fixed rules that turn a brief into a numbered plan. It says what it is in
 * every answer, the same messages always give the same answer, and it builds nothing.
 */
export function planner(): Answerer {
  return {
    name: 'built-in planner',
    async *answer(conversation, signal) {
      for (const piece of pieces(planText(conversation))) {
        yield piece;
        await delay(pauseMs, undefined, { signal });
      }
    },
  };
}

/** The planner's whole answer, in the form `answer-outline.ts` reads. */
export function planText({ app, turns }: Conversation): string {
  const messages = turns.filter((turn) => turn.role === 'person').map((turn) => turn.text);
  const plan = planOf(messages);
  const name = app === '' ? appName(plan.brief) : app;
  const before = new Set(
    messages.length < 2 ? [] : planOf(messages.slice(0, -1)).steps.map((step) => step.text),
  );
  const steps = plan.steps.map(
    ({ part, text }, at) =>
      `${at + 1}. **${part}:** ${text}${before.size > 0 && !before.has(text) ? ' (new)' : ''}`,
  );
  const components = plan.components.map(
    ({ kind, name, detail }) => `- ${kind}: ${name}${detail === '' ? '' : `, ${detail}`}`,
  );
  return [
    "I am the studio's built-in planner; no model is connected (INFERENCE_REMOTE_URL is not set). I read your words by fixed rules: the same brief always gives the same plan, and nothing is built from it here.",
    messages.length < 2
      ? readBack(plan.brief)
      : `I read your ${messages.length} messages as one brief. Steps that are new or changed say so.`,
    ...(name === undefined ? [] : [`App: \`${name}\``]),
    `## Plan\n\n${steps.join('\n')}`,
    ...(components.length === 0 ? [] : [`## Components\n\n${components.join('\n')}`]),
    ...(plan.open.length === 0
      ? []
      : [`## Not in the brief\n\n${plan.open.map((each) => `- ${each}`).join('\n')}`]),
  ].join('\n\n');
}

function readBack({ things, sentences, limits }: ReturnType<typeof planOf>['brief']): string {
  const parts = [
    counted(sentences.length, 'sentence'),
    things.length === 0
      ? 'no things to keep'
      : `${counted(things.length, 'thing')} to keep (${listed(things)})`,
    limits.length === 0
      ? 'no limits in numbers'
      : `the ${limits.length === 1 ? 'limit' : 'limits'} ${listed(limits)}`,
  ];
  return `In the brief I found ${listed(parts)}.`;
}

/** The text in at most `mostPieces` pieces, cut after a space or line end. */
export function pieces(text: string): string[] {
  const words = text.match(/\S+\s*/g) ?? [];
  const size = Math.max(1, Math.ceil(words.length / mostPieces));
  const cut: string[] = [];
  for (let at = 0; at < words.length; at += size) cut.push(words.slice(at, at + size).join(''));
  return cut;
}
