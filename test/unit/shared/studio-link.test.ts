import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isAppName,
  isChatId,
  isStudioPanel,
  maxCmdBytes,
  studioLink,
  studioPanels,
} from '#shared/studio/link.ts';

const chat = 'c-0123456789abcdef';

describe('the studio link', () => {
  it('names its parameters in the order chat, app, panel, cmd, whatever the order they came in (CON-062)', () => {
    expect(studioLink({ cmd: 'go', panel: 'draft', app: 'desk', chat })).toBe(
      `/studio/?chat=${chat}&app=desk&panel=draft&cmd=go`,
    );
  });

  it('is the bare studio when nothing is asked for', () => {
    expect(studioLink({})).toBe('/studio/');
    expect(studioLink({ chat: undefined, app: undefined, panel: undefined, cmd: undefined })).toBe(
      '/studio/',
    );
  });

  it('writes a space as %20 and a plus as %2B (CON-062)', () => {
    expect(studioLink({ cmd: 'a b+c' })).toBe('/studio/?cmd=a%20b%2Bc');
  });

  it('opens an empty chat by `new`', () => {
    expect(studioLink({ chat: 'new' })).toBe('/studio/?chat=new');
  });

  it.each([
    ['a chat with capitals', { chat: 'c-0123456789ABCDEF' }],
    ['a chat that is too short', { chat: 'c-0123456789abcde' }],
    ['a chat with a line after it', { chat: `${chat}\n` }],
    ['a chat of an app that cannot be', { chat: 'repo--desk' }],
    ['an app with capitals', { app: 'Desk' }],
    ['an app that starts with a dash', { app: '-desk' }],
    ['an app of 101 characters', { app: 'a'.repeat(101) }],
    ['an app with a slash', { app: 'desk/..' }],
    ['a panel that is none', { panel: 'settings' }],
    ['an empty command', { cmd: '' }],
    ['a command with half a surrogate pair', { cmd: 'a\ud800b' }],
  ])('leaves out %s', (_what, link) => {
    expect(studioLink(link)).toBe('/studio/');
  });

  it('takes a command of exactly 8,000 bytes and not one of 8,001 (CON-197)', () => {
    expect(studioLink({ cmd: 'a'.repeat(maxCmdBytes) })).toHaveLength('/studio/?cmd='.length + maxCmdBytes);
    expect(studioLink({ cmd: 'a'.repeat(maxCmdBytes + 1) })).toBe('/studio/');
  });

  it('counts a command in UTF-8 bytes, not in characters', () => {
    expect(studioLink({ cmd: 'é'.repeat(maxCmdBytes / 2) })).not.toBe('/studio/');
    expect(studioLink({ cmd: `${'é'.repeat(maxCmdBytes / 2)}a` })).toBe('/studio/');
    expect(studioLink({ cmd: '🙂'.repeat(maxCmdBytes / 4) })).not.toBe('/studio/');
    expect(studioLink({ cmd: `a${'🙂'.repeat(maxCmdBytes / 4)}` })).toBe('/studio/');
  });

  it('gives every command back as it was, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 500 }), (cmd) => {
        const url = new URL(studioLink({ cmd }), 'https://console.example');
        expect(url.searchParams.get('cmd')).toBe(cmd);
        expect(url.search).not.toContain('+');
      }),
    );
  });

  it('always stays on the studio path, with known parameters in order, whatever it is given', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('new', chat, 'desk', 'repo-desk', ...studioPanels),
    );
    fc.assert(
      fc.property(fc.record({ chat: anything, app: anything, panel: anything, cmd: anything }), (link) => {
        const url = new URL(studioLink(link), 'https://console.example');
        expect(url.origin).toBe('https://console.example');
        expect(url.pathname).toBe('/studio/');
        expect(url.hash).toBe('');
        const names = [...url.searchParams.keys()];
        expect(names).toEqual(['chat', 'app', 'panel', 'cmd'].filter((name) => names.includes(name)));
        const opened = url.searchParams.get('chat');
        expect(opened === null || opened === 'new' || isChatId(opened)).toBe(true);
      }),
    );
  });
});

describe('the shapes of the studio link', () => {
  it('knows both kinds of chat id, and that `new` is neither (CON-063, CON-200)', () => {
    expect([chat, 'repo-a', `repo-${'a'.repeat(100)}`].every(isChatId)).toBe(true);
    expect(['new', 'repo-', `repo-${'a'.repeat(101)}`, 'c-', 7, null, undefined].some(isChatId)).toBe(false);
  });

  it('knows app names of 1 to 100 characters (CON-065, CON-199)', () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,99}$/), (name) => isAppName(name)));
    expect(isAppName('')).toBe(false);
  });

  it('knows three panels (CON-064)', () => {
    expect(studioPanels.every(isStudioPanel)).toBe(true);
    expect(isStudioPanel('Draft')).toBe(false);
  });
});
