import type { Kysely } from 'kysely';
import type { Symptom } from '#shared/api/symptoms.ts';
import type { Finding } from '#shared/api/troubleshoot.ts';
import { ConsoleError } from '#shared/errors.ts';
import { pageHref } from '#shared/page-address.ts';
import type { CallOfQuestion } from '../chat/index.ts';
import { type Asker, type Citation, outsideText, type ToolAnswer } from '../tools/index.ts';
import { shippedPassages } from './passages.ts';
import { questionWords, rank } from './rank.ts';
import { type AskTables, indexPassages, passagesWith } from './store.ts';

/** The place of evidence; a line of a log with its file. */
export type Place = Citation & { readonly file?: string; readonly line?: number };

/** What was found: a text, and where it stands. */
export type Evidence = { readonly title: string; readonly body: string; readonly place: Place };

export type Gathered = {
  readonly evidence: readonly Evidence[];
  /** What was not searched, and why, a sentence each. */
  readonly notSearched: readonly string[];
};

export type EvidenceParts = {
  readonly db: Kysely<AskTables>;
  readonly catalogue: () => readonly Symptom[];
  /** The reading tool that answers a question, where the grammar understands it. */
  readonly callOf: CallOfQuestion;
};

/** Evidence of one answer, and the weight of a question's words that has to be in each. */
const mostEvidence = 6;
const mostFacts = 4;
const leastShare = 0.5;
/** Words that the audit trail is searched for: it takes one text at a time. */
const mostAuditWords = 3;

/** Gathers what answers a question, from what the asker may read now, the best first. */
export async function gatherEvidence(
  question: string,
  asker: Asker,
  { db, catalogue, callOf }: EvidenceParts,
): Promise<Gathered> {
  const words = questionWords(question);
  const notSearched: string[] = [];
  const orNot = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ConsoleError)) throw error;
      asker.signal.throwIfAborted();
      notSearched.push(`${what}: ${outsideText(error.message)}`);
      return undefined;
    }
  };
  const [answer, findings, shipped, records] = await Promise.all([
    orNot('The page', async () => {
      const found = await callOf(question, asker);
      return found?.tool.answer(found.args, asker);
    }),
    orNot('Findings', async () => {
      const report = await asker.read('troubleshoot.run', { query: { target: asker.target } });
      if (report.source === 'unavailable')
        notSearched.push(`Findings: ${outsideText(report.unmeasured[0] ?? 'no cluster was read.')}`);
      return report.findings.flatMap((each) => findingEvidence(each, asker));
    }),
    orNot('Documents', async () => {
      const { digest, passages } = shippedPassages(catalogue());
      await indexPassages(db, digest, passages);
      return (await passagesWith(db, words)).map(passageEvidence);
    }),
    orNot('Audit records', () => auditEvidence(words, asker)),
  ]);
  const best = (items: readonly Evidence[]): Evidence[] =>
    rank(items, words)
      .filter(({ share }) => share >= leastShare)
      .map(({ item }) => item);
  // What is so here and now stands before what documents say of such things.
  const facts = best([...(findings ?? []), ...(records ?? [])]);
  const ranked = [...facts.slice(0, mostFacts), ...best(shipped ?? [])];
  const ofTool = answer === undefined ? [] : toolEvidence(answer);
  const seen = new Set<string>();
  const evidence = [...ofTool, ...ranked].filter(({ place }) => {
    const key = `${place.address} ${place.label} ${place.quote ?? ''}`;
    return seen.has(key) ? false : seen.add(key);
  });
  return {
    evidence: evidence.slice(0, mostEvidence),
    notSearched: [...notSearched, ...(answer?.gaps ?? [])],
  };
}

/** The answer of a tool: its page with all of its lines, then the lines of logs it quotes. */
function toolEvidence({ head, rows, citations }: ToolAnswer): Evidence[] {
  const [page, ...others] = citations;
  if (page === undefined) return [];
  const lines = others.filter(({ quote }) => quote !== undefined).slice(0, 2);
  return [
    { title: head, body: rows.map(({ text }) => `- ${text}`).join('\n'), place: page },
    ...lines.map((place) => ({ title: place.label, body: place.quote ?? '', place })),
  ];
}

function findingEvidence(finding: Finding, { target }: Asker): Evidence[] {
  const { id, title, cause, fix, evidence } = finding;
  const address = pageHref({ tab: 'troubleshoot', record: id, ...(target === undefined ? {} : { target }) });
  // A line of a log first: it is what a person looks for in the end.
  const seen = evidence.find((each) => each.kind === 'log') ?? evidence[0];
  const place: Place =
    seen?.kind === 'log'
      ? {
          kind: 'log',
          label: outsideText(seen.line === undefined ? seen.ref : `${seen.ref}:${seen.line}`),
          address,
          quote: outsideText(seen.text),
          file: outsideText(seen.ref),
          ...(seen.line === undefined ? {} : { line: seen.line }),
        }
      : {
          kind: 'object',
          label: outsideText(title),
          address,
          ...(seen === undefined ? {} : { quote: outsideText(`${seen.ref}: ${seen.text}`) }),
        };
  const objects = finding.objects.map(({ kind, name, namespace }) => `${kind} ${namespace ?? ''} ${name}`);
  return [
    {
      title: outsideText(title),
      body: outsideText(
        [
          cause,
          ...fix.map(({ text }) => text),
          ...objects,
          ...evidence.slice(0, 3).map(({ text }) => text),
        ].join(' '),
        1500,
      ),
      place,
    },
  ];
}

function passageEvidence({
  title,
  body,
  address,
}: {
  title: string;
  body: string;
  address: string;
}): Evidence {
  return { title, body, place: { kind: 'document', label: title, address, quote: outsideText(body) } };
}

async function auditEvidence(words: readonly string[], asker: Asker): Promise<Evidence[]> {
  const longest = words.toSorted((a, b) => b.length - a.length).slice(0, mostAuditWords);
  const found = await Promise.all(
    longest.map((word) => asker.read('audit.list', { query: { q: word, limit: '20' } })),
  );
  return found
    .flatMap(({ items }) => items)
    .map(({ seq, at, actor, action, target, outcome, summary }) => ({
      title: `${action} ${outsideText(target)}`,
      body: outsideText(`${at} ${actor}: ${outcome}. ${summary}`),
      place: {
        kind: 'audit' as const,
        label: `Audit record ${seq}`,
        address: pageHref({ tab: 'audit', record: String(seq) }),
        quote: outsideText(`${actor} ${action} ${target}: ${outcome}. ${summary}`),
      },
    }));
}
