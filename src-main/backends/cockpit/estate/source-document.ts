import { z } from 'zod';

/** The content of a source, with its problems. */
export type SourceContent = {
  readonly domains: readonly {
    readonly name: string;
    readonly owner: string;
    readonly dependsOn: readonly string[];
  }[];
  readonly findings: readonly { readonly domain: string; readonly text: string }[];
};

/** A source that could not be read; the message is a whole sentence for a person. */
export class SourceUnreadable extends Error {
  override readonly name = 'SourceUnreadable';
}

/** Largest document, in bytes, and how long it may take to arrive, in milliseconds. */
const largest = 4 * 1024 * 1024;
const answerMs = 30_000;
const mostDomains = 5000;
/** So that the answer stays below what one call may carry. */
const mostFindings = 5000;

const name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}+$/u);
const document = z.object({
  domains: z
    .array(
      z.object({
        name,
        owner: z.union([name, z.literal('')]).default(''),
        depends_on: z.array(name).max(100).default([]),
      }),
    )
    .max(mostDomains),
});

/**
 * Reads the JSON document of a source, `{"domains": [{"name", "owner", "depends_on"}]}`, and finds what is wrong in it: a domain without
 * an owner, described twice, or that depends on itself or on one nobody describes. Throws `SourceUnreadable`.
 */
export async function readSource(url: string, signal: AbortSignal): Promise<SourceContent> {
  const late = AbortSignal.timeout(answerMs);
  let text: string;
  try {
    // A redirect would lead to an address nobody connected.
    const answer = await fetch(url, {
      redirect: 'error',
      headers: { accept: 'application/json' },
      signal: AbortSignal.any([signal, late]),
    });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      throw new SourceUnreadable(`The data source answered with status ${answer.status} instead of 200.`);
    }
    text = await boundedText(answer);
  } catch (error) {
    if (error instanceof SourceUnreadable) throw error;
    throw new SourceUnreadable(
      late.aborted
        ? `The data source did not answer within ${answerMs / 1000} s: check that it runs.`
        : 'The data source could not be reached: check its address and that it runs.',
      { cause: error },
    );
  }
  return readDocument(text);
}

/** The content of a document, from its text. Throws `SourceUnreadable`. */
export function readDocument(text: string): SourceContent {
  const read = document.safeParse(parsed(text));
  if (!read.success)
    throw new SourceUnreadable(
      `The document of the data source is not a list of domains: ${z.prettifyError(read.error).split('\n', 1)[0]}`,
    );
  return assessed(read.data.domains);
}

function assessed(described: z.infer<typeof document>['domains']): SourceContent {
  const domains = new Map<string, SourceContent['domains'][number]>();
  const findings: { domain: string; text: string }[] = [];
  const find = (domain: string, text: string): void => {
    if (findings.length < mostFindings) findings.push({ domain, text });
  };
  for (const { name: domain, owner, depends_on } of described) {
    if (domains.has(domain)) find(domain, 'It is described more than once; the first description counts.');
    else domains.set(domain, { name: domain, owner, dependsOn: [...new Set(depends_on)] });
  }
  for (const { name: domain, owner, dependsOn } of domains.values()) {
    if (owner === '') find(domain, 'It has no owner.');
    for (const other of dependsOn) {
      if (other === domain) find(domain, 'It depends on itself.');
      else if (!domains.has(other))
        find(domain, `It depends on ${other}, which the source does not describe.`);
    }
  }
  return { domains: [...domains.values()], findings };
}

async function boundedText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the rest.
    if (size > largest)
      throw new SourceUnreadable(`The document of the data source is larger than ${largest} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SourceUnreadable('The document of the data source is no JSON.');
  }
}
