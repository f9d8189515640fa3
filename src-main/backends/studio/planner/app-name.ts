import { isAppName } from '#shared/studio/link.ts';
import type { Brief } from './read-brief.ts';
import { singular } from './words.ts';

/** Nouns for an app, by the verb of its work. */
const doer: ReadonlyMap<string, string> = new Map([
  ['match', 'matcher'],
  ['track', 'tracker'],
  ['plan', 'planner'],
  ['schedule', 'planner'],
  ['book', 'booking'],
  ['reserve', 'booking'],
  ['approve', 'approvals'],
  ['review', 'review'],
  ['show', 'board'],
  ['list', 'board'],
  ['display', 'board'],
  ['send', 'notices'],
  ['notify', 'notices'],
  ['remind', 'reminders'],
  ['import', 'intake'],
  ['collect', 'intake'],
  ['record', 'log'],
  ['export', 'export'],
]);

/**
 * An app name made from the brief, matching `^[a-z0-9][a-z0-9-]{0,99}$`: the name the brief gives, or its first thing
 * and what is done with it (`invoice-matcher`). Undefined when the brief has neither: a greeting names no app.
 */
export function appName(brief: Brief): string | undefined {
  const given = slug(brief.calledName ?? '');
  if (isAppName(given)) return given;
  const thing = brief.things[0]?.split(' ').at(-1);
  const verb = brief.sentences.find((sentence) => sentence.verb !== undefined)?.verb;
  if (thing === undefined) return undefined;
  const named = slug(`${singular(thing)}-${doer.get(baseForm(verb ?? '')) ?? 'desk'}`);
  return isAppName(named) ? named : undefined;
}

function baseForm(verb: string): string {
  return doer.has(verb) ? verb : singular(verb);
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
}
