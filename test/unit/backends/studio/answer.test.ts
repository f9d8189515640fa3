import { describe, expect, it } from 'vitest';
import { outlineAnswer } from '../../../../src-main/backends/studio/answer-outline.ts';
import { chatTitle } from '../../../../src-main/backends/studio/chat-title.ts';
import { serverSentData } from '../../../../src-main/backends/studio/inference/sse.ts';
import { pieces, planText } from '../../../../src-main/backends/studio/planner/index.ts';
import { isAppName } from '../../../../src-shared/studio/link.ts';

const brief =
  'Match incoming invoices to purchase orders by supplier and amount. Anything above 2 % difference goes to a person.';
const plan = (...messages: string[]) =>
  planText({ app: '', turns: messages.map((text) => ({ role: 'person' as const, text })) });

describe('the planner', () => {
  it('says that it is the planner and that no model is connected', () => {
    expect(plan(brief)).toMatch(/^I am the studio's built-in planner; no model is connected/);
  });

  it('turns things, rules and limits of a brief into steps from data to delivery', () => {
    const { app, steps, components } = outlineAnswer(plan(brief));
    expect(app).toBe('invoice-matcher');
    expect(steps).toEqual([
      'Data: Keep invoices and purchase orders, with supplier and amount',
      'Screens: Draw invoices with search and filter',
      'Rules: Match incoming invoices to purchase orders by supplier and amount',
      'Rules: Anything above 2 % difference goes to a person',
      'Checks: Test just under, exactly at and just over 2 %',
      'Delivery: Work on a branch, run every check there, and hand it to a person as a pull request',
    ]);
    expect(components).toContainEqual({ kind: 'data', name: 'invoice', detail: 'supplier and amount' });
  });

  it('marks the steps a later message changed, and keeps the app', () => {
    const { app, steps } = outlineAnswer(plan(brief, 'Also show the supplier number in the review list.'));
    expect(app).toBe('invoice-matcher');
    expect(steps.filter((step) => step.endsWith('(new)'))).toEqual([
      'Data: Keep invoices and purchase orders, with supplier, amount and supplier number (new)',
      'Screens: Draw invoices with search and filter and the review list (new)',
    ]);
  });

  it('uses the name a brief gives, and names no app for a greeting', () => {
    expect(outlineAnswer(plan('Build an app called Tide Tables that shows tides.')).app).toBe('tide-tables');
    expect(outlineAnswer(plan('hi')).app).toBeUndefined();
  });

  it('makes valid app names and a bounded answer from any words', () => {
    for (const words of [
      'Größen-Übersicht für Häfen: list Öltanks',
      '計画',
      '---',
      'x'.repeat(32_000),
      'berths '.repeat(4000),
    ]) {
      const text = plan(words);
      const { app } = outlineAnswer(text);
      expect(app === undefined || isAppName(app)).toBe(true);
      expect(pieces(text).length).toBeLessThanOrEqual(100);
      expect(pieces(text).join('')).toBe(text);
    }
  });
});

describe('the outline of an answer', () => {
  it('takes the last numbered list as the plan and skips code', () => {
    const text =
      'First:\n1. old\n\nThen:\n\n1. **new**\n2. `two`\n\n```\n1. not a step\nApp: nor-an-app\n```';
    expect(outlineAnswer(text)).toEqual({ app: undefined, steps: ['new', 'two'], components: [] });
  });

  it('takes no app name of another shape', () => {
    expect(outlineAnswer('App: ../../etc').app).toBeUndefined();
    expect(outlineAnswer('App: Tide Board').app).toBeUndefined();
    expect(outlineAnswer('**App:** `tide-board`').app).toBe('tide-board');
  });
});

describe('the title of a chat', () => {
  it('is the first line with words, cut at a word boundary within 60 characters', () => {
    expect(chatTitle('\n  # Tide tables \nmore')).toBe('Tide tables');
    const title = chatTitle(brief);
    expect(title).toBe('Match incoming invoices to purchase orders by supplier and…');
    expect(Array.from(title).length).toBeLessThanOrEqual(60);
  });

  it('cuts a long word by characters and never inside one', () => {
    expect(Array.from(chatTitle('🙂'.repeat(100)))).toHaveLength(60);
    expect(chatTitle('🙂'.repeat(100)).isWellFormed()).toBe(true);
    expect(chatTitle(' \n ')).toBe('New chat');
  });
});

describe('server-sent events', () => {
  const read = async (...chunks: string[]) => {
    const bytes = async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk, 'latin1');
    };
    return Array.fromAsync(serverSentData(bytes()));
  };

  it('are read with any line ending, wherever the chunks are cut', async () => {
    expect(await read('data: a\n\ndata:b\r\n\r\ndata: c\r\rdata: d')).toEqual(['a', 'b', 'c', 'd']);
    expect(await read('da', 'ta: a\r', '\n\r', '\ndata: b\n\n')).toEqual(['a', 'b']);
  });

  it('join data lines, and skip comments, other fields and events without data', async () => {
    expect(await read(': ping\n\nevent: x\nid: 1\ndata: a\ndata: b\n\nretry: 5\n\n')).toEqual(['a\nb']);
  });

  it('put a character together that two chunks share', async () => {
    const [first, second] = ['data: \u00c3', '\u00bc\n\n'];
    expect(await read(first, second)).toEqual(['ü']);
  });

  it('are refused when one never ends', async () => {
    await expect(read(`data: ${'x'.repeat(1_000_001)}`, 'y')).rejects.toThrow('million');
  });
});
