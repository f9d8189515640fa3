import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { examples } from '../../../../src-main/features/chat/grammar/examples.ts';
import type { KnownNames } from '../../../../src-main/features/chat/grammar/read-message.ts';
import { understand } from '../../../../src-main/features/chat/grammar/understand.ts';
import { readByModel } from '../../../../src-main/features/chat/model.ts';
import { allTools } from '../../../../src-main/features/tools/index.ts';
import type { Inference } from '../../../../src-main/sources/inference/index.ts';

type Row = readonly [question: string, tool: string | null, args: Record<string, unknown>];

/** The names that the person who asks may see. */
const known: KnownNames = new Map(
  Object.entries({
    shop: ['namespace'],
    payments: ['namespace'],
    monitoring: ['namespace'],
    web: ['workload'],
    checkout: ['workload'],
    api: ['workload'],
    postgres: ['workload'],
    redis: ['workload'],
    indexer: ['workload'],
    'web-7d9f-x2x4b': ['pod'],
    'postgres-0': ['pod'],
    'worker-1': ['node'],
    'worker-2': ['node'],
    'gpu-1': ['node'],
    'security-review': ['agent'],
    'doc-writer': ['agent'],
    nightly: ['agent'],
    storefront: ['repo'],
    'billing-api': ['repo'],
  } as const).map(([name, as]) => [name, new Set(as)]),
);

function questions(file: string): readonly Row[] {
  return parse(
    readFileSync(new URL(`../../../fixtures/chat/${file}.yaml`, import.meta.url), 'utf8'),
  ) as Row[];
}

/** How the grammar does on a table: what it understood, and of that what it got wrong. */
function scored(file: string) {
  const rows = questions(file);
  let right = 0;
  const wrong: string[] = [];
  const unclear: string[] = [];
  for (const [question, tool, args] of rows) {
    const understood = understand(question, known);
    if (understood.state === 'unclear') {
      if (tool !== null) unclear.push(`${question} [${understood.unknown.join(' ')}]`);
      continue;
    }
    const { call } = understood;
    if (call.tool === tool && isDeepStrictEqual(call.args, args)) right += 1;
    else wrong.push(`${question} => ${call.tool} ${JSON.stringify(call.args)}`);
  }
  return { rows: rows.length, right, wrong, unclear };
}

describe('the grammar of the chat (CON-080)', () => {
  it('picks tool and arguments rightly for the questions it was built with', () => {
    const { rows, right, wrong, unclear } = scored('questions-built');
    expect(rows).toBe(120);
    expect({ wrong, unclear }).toEqual({ wrong: [], unclear: [] });
    expect(right).toBe(119);
  });

  it('picks rightly at least 95 % of the held-out questions it says it understands', () => {
    const { rows, right, wrong, unclear } = scored('questions-held-out');
    expect(rows).toBe(80);
    expect({ share: right / (right + wrong.length) >= 0.95, wrong }).toEqual({ share: true, wrong: [] });
    // As it was when it was first run on them: it says so for the rest.
    expect(unclear).toHaveLength(4);
  });
});

describe('the examples of the help', () => {
  const placeholders: KnownNames = new Map([
    ...known,
    ['worker-1', new Set(['node'])],
    ['web-1', new Set(['pod'])],
  ] as const);
  for (const { name } of allTools)
    it(`of ${name} call it`, () => {
      const messages = examples[name] ?? [];
      expect(messages).not.toEqual([]);
      for (const message of messages)
        expect([message, understand(message, placeholders)]).toMatchObject([
          message,
          { call: { tool: name } },
        ]);
    });

  it('take arguments that their tool takes', () => {
    for (const tool of allTools)
      for (const message of examples[tool.name] ?? []) {
        const understood = understand(message, placeholders);
        if (understood.state !== 'call') throw new Error(`${message} is not understood`);
        expect([message, tool.args.safeParse(understood.call.args).success]).toEqual([message, true]);
      }
  });
});

describe('a model in place of the grammar', () => {
  it('has its call taken for each of the 200 questions, split over pieces as streams are', async () => {
    for (const [question, tool, args] of [
      ...questions('questions-built'),
      ...questions('questions-held-out'),
    ]) {
      const json = JSON.stringify(args);
      const inference: Inference = {
        name: 'scripted',
        async *stream({ messages, tools = [] }) {
          expect(messages.at(-1)?.content).toBe(question);
          if (tool === null || !tools.some(({ name }) => name === tool)) return;
          yield { kind: 'call', index: 0, name: tool };
          yield { kind: 'call', index: 0, args: json.slice(0, 3) };
          yield { kind: 'call', index: 0, args: json.slice(3) };
        },
      };
      const { call, notes } = await readByModel(inference, question, new AbortController().signal);
      expect([question, call, notes]).toEqual([question, tool === null ? undefined : { tool, args }, []]);
    }
  });
});
