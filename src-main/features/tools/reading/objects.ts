import { z } from 'zod';
import type { SearchResult } from '#shared/api/search.ts';
import { severity, symptomArea } from '#shared/api/symptoms.ts';
import type { Finding } from '#shared/api/troubleshoot.ts';
import { ConsoleError } from '#shared/errors.ts';
import { outsideText } from '../outside-text.ts';
import { searchNames } from '../search-names.ts';
import { answered, counted, placeIn, stateText } from '../sentences.ts';
import { type Asker, type Citation, type ReadingTool, type Row, readingTool } from '../tool.ts';
import { name, namespace } from './cluster.ts';

/** Characters of a log that are read, from its end. */
const mostLog = 60_000;

const evidenceFacts =
  'findings with lines of logs, events and conditions as evidence, credentials masked; never values of Secrets';
const kind = z.string().trim().min(1).max(63).optional().describe('Kind, such as Deployment.');

/** Tools about what is wrong, and about single objects. */
export const objectTools: readonly ReadingTool[] = [
  readingTool({
    name: 'diagnose',
    title: 'Diagnosis',
    description: 'Diagnoses the cluster or bundle: what is wrong, why, and what to do, with evidence.',
    args: z.strictObject({
      namespace,
      area: symptomArea.optional().describe('Only findings of this area.'),
      severity: severity.optional().describe('Only findings of this severity.'),
    }),
    reveals: evidenceFacts,
    routes: ['troubleshoot.run'],
    async answer(args, asker) {
      const read = await asker.read('troubleshoot.run', { query: { target: asker.target } });
      const findings = read.findings.filter(
        (each) =>
          (args.area === undefined || each.area === args.area) &&
          (args.severity === undefined || each.severity === args.severity) &&
          (args.namespace === undefined || each.objects.some((object) => isIn(object, args.namespace))),
      );
      const critical = findings.filter((each) => each.severity === 'critical').length;
      const skipped = read.not_checked.length;
      return answered(asker, {
        head: `${counted(findings.length, 'finding')}${critical === 0 ? '' : `, ${critical} critical`}. ${counted(read.symptoms, 'symptom')} looked for${skipped === 0 ? '' : `, ${counted(skipped, 'check').toLowerCase()} skipped`}.`,
        rows: findings.map((each) => findingRow(each, asker)),
        page: { tab: 'troubleshoot' },
        cited: findings.slice(0, 6).flatMap((each) => evidenceOf(each, asker)),
        result: { ...read, findings },
      });
    },
  }),
  readingTool({
    name: 'why',
    title: 'Why an object fails',
    description:
      'Explains what is wrong with one workload, pod, node or other object, with cause, fix and evidence.',
    args: z.strictObject({ name, kind, namespace }),
    reveals: evidenceFacts,
    routes: ['search.find', 'troubleshoot.run'],
    async answer(args, asker) {
      const [report, found] = await Promise.all([
        asker.read('troubleshoot.run', { query: { target: asker.target } }),
        findNamed(args, asker),
      ]);
      const findings = report.findings.filter(
        ({ objects, evidence }) =>
          objects.some((object) => isAbout(object, args)) ||
          evidence.some(({ object }) => object !== undefined && isAbout(object, args)),
      );
      if (findings.length === 0 && found.length === 0)
        throw new ConsoleError('NotFound', await whyNotFound(args.name, asker));
      const [worst] = findings;
      const rows: Row[] = found.map((each) => ({
        text: stateText(`${each.kind ?? ''} ${each.name}`.trim(), each.state ?? 'not_read', each.detail),
        address: each.address,
      }));
      for (const each of findings.slice(0, 3)) {
        rows.push(findingRow(each, asker), { text: `Cause: ${outsideText(each.cause, 500)}` });
        for (const step of each.fix.slice(0, 4))
          rows.push({
            text: `Fix: ${outsideText(step.text, 500)}${step.command === undefined ? '' : ` ${outsideText(step.command)}`}`,
          });
      }
      return answered(asker, {
        head:
          worst === undefined
            ? `No finding on ${outsideText(args.name)}; ${counted(report.symptoms, 'symptom').toLowerCase()} looked for.`
            : `${outsideText(worst.title)}`,
        rows,
        page: { tab: 'troubleshoot', ...(worst === undefined ? {} : { record: worst.id }) },
        cited: findings.flatMap((each) => evidenceOf(each, asker)).slice(0, 6),
        result: {
          findings,
          objects: found,
          unmeasured: report.unmeasured,
          source: report.source,
          complete: report.complete,
          read_at: report.read_at,
        },
      });
    },
  }),
  readingTool({
    name: 'find',
    title: 'Search',
    description: 'Finds objects, pages, runs, symptoms and other things of the console by name.',
    args: z.strictObject({ q: z.string().trim().min(1).max(200) }),
    reveals: 'names and states of what the person may see',
    routes: ['search.find'],
    async answer({ q }, asker) {
      const read = await asker.read('search.find', { query: { q, target: asker.target } });
      const items = read.groups.flatMap((group) => group.items);
      return answered(asker, {
        head: `${counted(items.length, 'result')} for ${outsideText(q)}.`,
        rows: items.map((each) => ({
          text: stateText(
            `${each.kind ?? ''} ${each.namespace === undefined ? '' : `${each.namespace}/`}${each.name}`.trim(),
            each.state ?? 'found',
            each.detail,
          ),
          address: each.address,
        })),
        page: { tab: 'overview' },
        result: read,
      });
    },
  }),
  readingTool({
    name: 'logs',
    title: 'Logs of a pod',
    description: 'Reads the newest lines of the log of a pod, or of a pod of a workload.',
    args: z.strictObject({
      pod: name.describe('Name of the pod, or of its workload.'),
      namespace,
      container: name.optional(),
      previous: z.boolean().optional().describe('The container before its last restart.'),
      tail: z.number().int().min(1).max(2000).optional().describe('Newest lines only; 100 when left out.'),
      since: z
        .string()
        .regex(/^\d{1,6}[smhd]$/)
        .optional()
        .describe('Such as 15m.'),
    }),
    reveals: 'lines of the log as the pod wrote them',
    routes: ['search.find', 'cluster.namespace', 'cluster.logs'],
    async answer(args, asker) {
      const pod = await podOf(args.pod, args.namespace, asker);
      const text = await asker.readText(
        'cluster.logs',
        {
          params: { namespace: pod.namespace, name: pod.name },
          query: {
            target: asker.target,
            container: args.container,
            previous: args.previous === true ? 'true' : undefined,
            tail: String(args.tail ?? 100),
            since: args.since,
          },
        },
        mostLog,
      );
      const lines = text.split('\n').filter((line) => line !== '');
      const at = placeIn(
        {
          tab: 'logs',
          namespace: pod.namespace,
          name: pod.name,
          ...(args.container === undefined ? {} : { container: args.container }),
          ...(args.previous === true ? { previous: 'true' } : {}),
        },
        asker,
      );
      const end = lines.slice(-12);
      return answered(asker, {
        head: `${counted(lines.length, 'line')} of ${pod.namespace}/${pod.name}${args.previous === true ? ', previous container' : ''}.`,
        rows: end.map((line) => ({ text: outsideText(line) })),
        page: { tab: 'logs', namespace: pod.namespace, name: pod.name },
        cited: end.slice(-3).map((line, index, all) => ({
          kind: 'log',
          label: `${pod.namespace}/${pod.name}, line ${lines.length - all.length + index + 1} of ${lines.length}`,
          address: at,
          quote: outsideText(line),
        })),
        result: { pod: pod.name, namespace: pod.namespace, lines },
      });
    },
  }),
  readingTool({
    name: 'yaml',
    title: 'YAML of an object',
    description: 'Reads one object as YAML; values of Secrets are masked.',
    args: z.strictObject({ name, kind: z.string().trim().min(1).max(63), namespace }),
    reveals: 'one object with the values of Secrets masked',
    routes: ['search.find', 'cluster.object'],
    async answer(args, asker) {
      const within = args.namespace ?? (await findNamed(args, asker))[0]?.namespace;
      const read = await asker.read('cluster.object', {
        params: { kind: args.kind, name: args.name },
        query: { target: asker.target, namespace: within },
      });
      const lines = (read.yaml ?? '').split('\n').filter((line) => line !== '');
      return answered(asker, {
        head: `${args.kind} ${outsideText(args.name)}: ${counted(lines.length, 'line')} of YAML.`,
        rows: lines.slice(0, 12).map((line) => ({ text: outsideText(line) })),
        page: {
          tab: 'namespaces',
          kind: args.kind,
          ...(within === undefined ? {} : { record: within }),
          name: args.name,
        },
        result: read,
      });
    },
  }),
];

type Object_ = { readonly kind: string; readonly name: string; readonly namespace?: string | undefined };
type Named = {
  readonly name: string;
  readonly kind?: string | undefined;
  readonly namespace?: string | undefined;
};

function isIn(object: Object_, within: string | undefined): boolean {
  return object.namespace === within || (object.kind === 'Namespace' && object.name === within);
}

/** Whether an object is the one that is asked about: itself, or a pod of the workload of that name. */
function isAbout(object: Object_, asked: Named): boolean {
  if (asked.namespace !== undefined && object.namespace !== asked.namespace) return false;
  if (object.name === asked.name) return asked.kind === undefined || object.kind === asked.kind;
  return object.kind === 'Pod' && object.name.startsWith(`${asked.name}-`);
}

/** The objects of exactly this name that the asker may see. */
export async function findNamed(asked: Named, asker: Asker): Promise<SearchResult[]> {
  const found = await searchNames({ q: asked.name, namespace: asked.namespace, limit: '50' }, asker);
  const named = found.filter(
    (item) =>
      ['workloads', 'pods', 'nodes', 'namespaces', 'objects'].includes(item.group) &&
      item.name === asked.name &&
      (asked.kind === undefined || item.kind?.toLowerCase() === asked.kind.toLowerCase()) &&
      (asked.namespace === undefined || item.namespace === asked.namespace),
  );
  return eachOnce(named);
}

/** Returns the first of each object: search lists a workload among the objects, too. */
function eachOnce(found: readonly SearchResult[]): SearchResult[] {
  const seen = new Map<string, SearchResult>();
  for (const item of found) {
    const key = JSON.stringify([item.kind, item.namespace, item.name]);
    if (!seen.has(key)) seen.set(key, item);
  }
  return [...seen.values()];
}

/** Says that there is no object of that name, with the nearest that there are. */
async function whyNotFound(asked: string, asker: Asker): Promise<string> {
  const found = await searchNames({ q: asked, limit: '3' }, asker);
  const near = [...new Set(found.map((item) => outsideText(item.name, 80)))].slice(0, 3);
  return `There is nothing named ${outsideText(asked, 100)} here.${near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`}`;
}

async function podOf(
  asked: string,
  within: string | undefined,
  asker: Asker,
): Promise<{ name: string; namespace: string }> {
  const found = await searchNames({ q: asked, namespace: within, limit: '100' }, asker);
  const pods = found.filter(
    (each) => each.group === 'pods' && (within === undefined || each.namespace === within),
  );
  // The worst first: who asks for the log of a workload wants the pod that fails.
  const isAsked = (each: SearchResult) => each.name === asked || each.name.startsWith(`${asked}-`);
  const pod =
    pods.find((each) => each.name === asked) ??
    pods.filter(isAsked).toSorted((a, b) => Number(b.state === 'failing') - Number(a.state === 'failing'))[0];
  if (pod?.namespace === undefined) throw new ConsoleError('NotFound', await whyNotFound(asked, asker));
  return { name: pod.name, namespace: pod.namespace };
}

function findingRow(each: Finding, asker: Asker): Row {
  return {
    text: `${each.severity}: ${outsideText(each.title)}`,
    address: placeIn({ tab: 'troubleshoot', record: each.id }, asker),
  };
}

/** The first pieces of evidence of a finding, with file and line where they are of a log. */
function evidenceOf(each: Finding, asker: Pick<Asker, 'target'>): Citation[] {
  return each.evidence.slice(0, 2).map(({ kind: seen, ref, line, text }) => ({
    kind: seen === 'log' ? 'log' : 'object',
    label: outsideText(line === undefined ? ref : `${ref}:${line}`),
    address: placeIn({ tab: 'troubleshoot', record: each.id }, asker),
    quote: outsideText(text),
  }));
}
