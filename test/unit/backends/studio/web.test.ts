import { describe, expect, it } from 'vitest';
import { readAddress, viewQuery } from '../../../../src-main/backends/studio/web/src/address.ts';
import { readMarkdown } from '../../../../src-main/backends/studio/web/src/markdown.ts';
import { personName } from '../../../../src-main/backends/studio/web/src/person-name.ts';
import { studioLink } from '../../../../src-shared/studio/link.ts';

describe("the studio's address", () => {
  it('reads what the console builds (CON-063, CON-064)', () => {
    const link = studioLink({ chat: 'c-0123456789abcdef', panel: 'details', cmd: 'add a tide table & 50 %' });
    expect(readAddress(link.slice('/studio/'.length))).toEqual({
      chat: 'c-0123456789abcdef',
      panel: 'details',
      cmd: 'add a tide table & 50 %',
    });
  });

  it('opens the legacy app as its one-lane chat, unless a chat is named (CON-065, CON-202)', () => {
    expect(readAddress('?app=tides').chat).toBe('repo-tides');
    expect(readAddress('?chat=new&app=tides').chat).toBeUndefined();
    expect(readAddress('?chat=repo-berths&app=tides').chat).toBe('repo-berths');
  });

  it('takes no value of another shape', () => {
    expect(readAddress('?chat=c-XYZ&app=..%2f&panel=admin&cmd=')).toEqual({
      chat: undefined,
      panel: undefined,
      cmd: undefined,
    });
  });

  it('takes a command of 8,000 UTF-8 bytes and ignores a longer one whole (CON-066, CON-197)', () => {
    expect(readAddress(`?cmd=${encodeURIComponent('ü'.repeat(4000))}`).cmd).toHaveLength(4000);
    expect(readAddress(`?cmd=${encodeURIComponent('ü'.repeat(4001))}`).cmd).toBeUndefined();
  });

  it('keeps chat and panel as view state and never the command (CON-063, CON-064, CON-066)', () => {
    expect(viewQuery({ chat: undefined, panel: undefined })).toBe('?chat=new');
    expect(viewQuery(readAddress('?app=tides&panel=draft&cmd=drop'))).toBe('?chat=repo-tides&panel=draft');
  });
});

describe('the Markdown of an answer', () => {
  it('reads headings, lists, bold and code', () => {
    expect(
      readMarkdown('## Plan\n\nSome **bold** `code`\n\n1. one\n2. two\n\n- dot\n\n```ts\nlet a = 1;\n```'),
    ).toEqual([
      { kind: 'heading', inline: [{ kind: 'text', text: 'Plan' }] },
      {
        kind: 'paragraph',
        inline: [
          { kind: 'text', text: 'Some ' },
          { kind: 'bold', text: 'bold' },
          { kind: 'text', text: ' ' },
          { kind: 'code', text: 'code' },
        ],
      },
      {
        kind: 'numbered',
        start: 1,
        items: [[{ kind: 'text', text: 'one' }], [{ kind: 'text', text: 'two' }]],
      },
      { kind: 'bulleted', start: 1, items: [[{ kind: 'text', text: 'dot' }]] },
      { kind: 'code', text: 'let a = 1;' },
    ]);
  });

  it('leaves HTML, links and images as the text they are', () => {
    const text = '<img src=x onerror=alert(1)> [a](javascript:alert(1)) ![b](//x)';
    expect(readMarkdown(text)).toEqual([{ kind: 'paragraph', inline: [{ kind: 'text', text }] }]);
  });

  it('reads every beginning of an answer, as it grows', () => {
    const text = '# A\n1. **b**\n2. c\n   more\n\n```\nd';
    for (let end = 0; end <= text.length; end += 1)
      expect(() => readMarkdown(text.slice(0, end))).not.toThrow();
    expect(readMarkdown('1. one\n2.')).toHaveLength(1);
    expect(readMarkdown('1. one\n2.')[0]).toMatchObject({ items: { length: 1 } });
  });
});

describe('the name of a person', () => {
  it('comes from the email', () => {
    expect(personName('mira.koch@example.com')).toEqual({ name: 'Mira', initials: 'MK' });
    expect(personName('jon@example.com')).toEqual({ name: 'Jon', initials: 'JO' });
    expect(personName('')).toEqual({ name: 'You', initials: 'Y' });
  });
});
