import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxDisplayText, readStudioChatMessage } from '#shared/studio/chat-message.ts';
import { isChatId } from '#shared/studio/link.ts';

const origin = 'https://console.example';
const frame = { name: 'the studio frame' };
const message = {
  type: 'studio.chat',
  id: 'c-0123456789abcdef',
  title: 'Invoice matching',
  project: 'invoice-desk',
};
const event = (data: unknown = JSON.stringify(message)) => ({ origin, source: frame, data });
const read = (given: { origin: string; source: unknown; data: unknown }) =>
  readStudioChatMessage(given, { origin, frame });

describe('the studio chat message', () => {
  it('is read when every condition holds (CON-029, CON-176)', () => {
    expect(read(event())).toEqual(message);
  });

  it.each([
    'https://evil.example',
    'http://console.example',
    'https://console.example:8443',
    'https://console.example.evil.example',
    'null',
    '',
  ])('is refused from the origin %j', (foreign) => {
    expect(read({ ...event(), origin: foreign })).toBeUndefined();
  });

  it('is refused from any window but the studio frame, our own included (CON-176)', () => {
    expect(read({ ...event(), source: { name: 'the studio frame' } })).toBeUndefined();
    expect(read({ ...event(), source: null })).toBeUndefined();
  });

  it.each([null, undefined])('is refused while there is no frame (%s), even from no window', (none) => {
    expect(readStudioChatMessage({ ...event(), source: none }, { origin, frame: none })).toBeUndefined();
  });

  it('is refused as an object: the data is JSON text', () => {
    expect(read(event(message))).toBeUndefined();
    expect(read(event(new String(JSON.stringify(message))))).toBeUndefined();
  });

  it.each(['', '{', 'null', '7', '"studio.chat"', '[]', 'true'])('is refused as the text %j', (text) => {
    expect(read(event(text))).toBeUndefined();
  });

  it.each(['studio.chats', 'Studio.chat', '', undefined, 1, ['studio.chat']])(
    'is refused with the type %j',
    (type) => {
      expect(read(event(JSON.stringify({ ...message, type })))).toBeUndefined();
    },
  );

  it.each([
    'new',
    'c-0123456789abcde',
    'c-0123456789ABCDEF',
    'repo-',
    'repo-A',
    '',
    undefined,
    7,
    ['c-0123456789abcdef'],
  ])('is refused with the id %j (CON-200)', (id) => {
    expect(read(event(JSON.stringify({ ...message, id })))).toBeUndefined();
  });

  it('carries nothing else, so it can never be a command (CON-030, CON-177)', () => {
    const more = {
      ...message,
      cmd: 'delete everything',
      url: 'https://evil.example',
      __proto__: { admin: true },
    };
    expect(Object.keys(read(event(JSON.stringify(more))) ?? {})).toEqual(['type', 'id', 'title', 'project']);
  });

  it('takes a title or project that is no text as empty', () => {
    const odd = JSON.stringify({ ...message, title: { toString: 'x' }, project: 5 });
    expect(read(event(odd))).toEqual({ ...message, title: '', project: '' });
    expect(read(event(JSON.stringify({ type: message.type, id: message.id })))).toEqual({
      ...message,
      title: '',
      project: '',
    });
  });

  it('trims first and caps after that (CON-177, CON-198)', () => {
    const title = `  ${'a'.repeat(maxDisplayText)}b  `;
    const project = ` \n\t${'p'.repeat(maxDisplayText)} `;
    const answer = read(event(JSON.stringify({ ...message, title, project })));
    expect(answer?.title).toBe('a'.repeat(maxDisplayText));
    expect(answer?.project).toBe('p'.repeat(maxDisplayText));
  });

  it('counts a surrogate pair as one character and never cuts one in half', () => {
    const whole = read(event(JSON.stringify({ ...message, title: '🙂'.repeat(maxDisplayText) })));
    expect(whole?.title).toBe('🙂'.repeat(maxDisplayText));
    const cut = read(event(JSON.stringify({ ...message, title: `${'a'.repeat(maxDisplayText - 1)}🙂🙂` })));
    expect(cut?.title).toBe(`${'a'.repeat(maxDisplayText - 1)}🙂`);
  });

  it('gives a chat id and short, trimmed words, or nothing, whatever text arrives', () => {
    const json = fc.record(
      {
        type: fc.constantFrom('studio.chat', 'x'),
        id: fc.constantFrom(message.id, 'repo-a', 'new'),
        title: fc.string({ maxLength: 600 }),
        project: fc.anything(),
      },
      { requiredKeys: [] },
    );
    const text = fc.oneof(
      fc.string(),
      json.map((value) => JSON.stringify(value) ?? ''),
      fc.json(),
    );
    fc.assert(
      fc.property(text, (data) => {
        const answer = read(event(data));
        if (answer === undefined) return;
        expect(isChatId(answer.id)).toBe(true);
        for (const words of [answer.title, answer.project]) {
          expect(Array.from(words).length).toBeLessThanOrEqual(maxDisplayText);
          expect(words).toBe(words.trim());
        }
      }),
    );
  });
});
