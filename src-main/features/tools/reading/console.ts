import { z } from 'zod';
import { outsideText } from '../outside-text.ts';
import { answered, counted, placeIn, stateText } from '../sentences.ts';
import { type ReadingTool, readingTool } from '../tool.ts';
import { since, sinceTime } from './delivery.ts';

const none = z.strictObject({});
const words = z.string().trim().min(1).max(200).optional();

/** The console itself: audit, access, targets, settings, the catalogue and the studio's apps. */
export const consoleTools: readonly ReadingTool[] = [
  readingTool({
    name: 'audit',
    title: 'Audit records',
    description: 'Lists records of the audit trail, newest first. Session admins only.',
    args: z.strictObject({
      actor: z.string().trim().min(1).max(320).optional(),
      action: words,
      outcome: z.enum(['success', 'failure', 'refused']).optional(),
      since,
      q: words,
    }),
    reveals: 'who did what, to session admins only',
    routes: ['audit.list'],
    async answer(args, asker) {
      const { actor, action, outcome, q } = args;
      const read = await asker.read('audit.list', {
        query: { actor, action, outcome, q, since: sinceTime(args.since, asker), limit: '100' },
      });
      return answered(asker, {
        head: `${counted(read.items.length, 'record')}${read.next_cursor === undefined ? '' : ', more before'}.`,
        rows: read.items.map((each) => ({
          text: `${each.seq} ${outsideText(`${each.actor} ${each.action} ${each.target}: ${each.outcome}. ${each.summary}`)}`,
          address: placeIn({ tab: 'audit', record: String(each.seq) }, { target: undefined }),
        })),
        page: { tab: 'audit' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'verify_audit',
    title: 'Verify the audit chain',
    description: 'Walks the audit chain and names the first break. Session admins only.',
    args: none,
    reveals: 'whether the audit chain is intact, to session admins only',
    routes: ['audit.verify'],
    async answer(_args, asker) {
      const read = await asker.read('audit.verify');
      if (!('intact' in read)) throw new Error('the verification was answered as a stream');
      return answered(asker, {
        head: read.intact
          ? `The audit chain is intact: ${counted(read.checked, 'record')} checked.`
          : `The audit chain is broken at ${read.first_break?.seq}: ${outsideText(read.first_break?.reason ?? 'no reason')}.`,
        page: { tab: 'audit' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'access',
    title: 'Access',
    description: 'The allowlists: what each guards, its size, and whether the person asking is on it.',
    args: none,
    reveals: "sizes of allowlists and the asker's own membership; never other people's names",
    routes: ['access.list'],
    async answer(_args, asker) {
      const read = await asker.read('access.list');
      return answered(asker, {
        head: `You are on ${read.items.filter((each) => each.member).length} of ${counted(read.items.length, 'allowlist')}.`,
        rows: read.items.map((each) => ({
          text: `${each.name}: ${each.member ? 'you may' : 'you may not'}; ${outsideText(each.guards)}`,
        })),
        page: { tab: 'access' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'targets',
    title: 'Targets',
    description: 'Clusters and bundles that can be read, and how each stands.',
    args: none,
    reveals: 'names and states of clusters and bundles; never a kubeconfig',
    routes: ['targets.list'],
    async answer(_args, asker) {
      const read = await asker.read('targets.list');
      return answered(asker, {
        head: `${counted(read.items.length, 'target')}${read.chosen === undefined ? '' : `; ${outsideText(read.chosen)} is chosen`}.`,
        rows: read.items.map((each) => ({ text: stateText(each.name, each.state, each.detail) })),
        page: { tab: 'overview' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'symptoms',
    title: 'Symptom catalogue',
    description: 'Symptoms that the troubleshooter knows, by words of their title or cause.',
    args: z.strictObject({ q: words }),
    reveals: 'the catalogue, which ships with the console',
    routes: ['troubleshoot.catalogue'],
    async answer({ q }, asker) {
      const read = await asker.read('troubleshoot.catalogue');
      const parts = (q ?? '').toLowerCase().split(/\s+/);
      const symptoms = read.symptoms.filter((each) => {
        const text = `${each.id} ${each.title} ${each.cause}`.toLowerCase();
        return parts.every((part) => text.includes(part));
      });
      return answered(asker, {
        head: `${counted(symptoms.length, 'symptom')}.`,
        rows: symptoms.map((each) => ({
          text: `${each.severity}: ${each.title}`,
          address: placeIn(
            { tab: 'troubleshoot', panel: 'catalogue', record: each.id },
            { target: undefined },
          ),
        })),
        page: { tab: 'troubleshoot', panel: 'catalogue' },
        result: { symptoms },
      });
    },
  }),
  readingTool({
    name: 'apps',
    title: 'Studio apps',
    description: "The studio's apps with their live state.",
    args: none,
    reveals: 'names and states of studio apps',
    routes: ['studio.list'],
    async answer(_args, asker) {
      const read = await asker.read('studio.list');
      return answered(asker, {
        head: `${counted(read.apps.length, 'app')}.`,
        rows: read.apps.map((each) => ({
          text: stateText(each.name, each.status?.state ?? 'not_read', each.status?.state_detail),
          address: placeIn({ tab: 'forgeStudio', app: each.name }, { target: undefined }),
        })),
        page: { tab: 'forgeStudio' },
        result: read,
      });
    },
  }),
];
