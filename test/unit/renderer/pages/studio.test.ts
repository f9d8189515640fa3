import { describe, expect, it } from 'vitest';
import type { StudioList } from '#shared/api/studio.ts';
import type { Platform } from '#shared/api/system.ts';
import { chatHeading } from '../../../../src-renderer/pages/studio/chat-heading.ts';
import {
  firstFrameAddress,
  followAddress,
  followFrame,
  loadAgain,
} from '../../../../src-renderer/pages/studio/frame-address.ts';
import {
  passesFilter,
  railApps,
  railChats,
  stateCoverage,
  webAddress,
} from '../../../../src-renderer/pages/studio/rail-model.ts';
import { studioTrouble } from '../../../../src-renderer/pages/studio/studio-trouble.ts';

const a = 'c-aaaaaaaaaaaaaaaa';
const b = 'c-bbbbbbbbbbbbbbbb';
const at = (chat: string | null, app: string | null = null, panel: string | null = null) => ({
  chat,
  app,
  panel,
});

describe('the studio frame', () => {
  it('opens what the address names, the legacy link too (CON-067, CON-202)', () => {
    expect(firstFrameAddress(at(a)).src).toBe(`/studio/?chat=${a}`);
    expect(firstFrameAddress(at(null, 'desk', 'draft'))).toMatchObject({
      src: '/studio/?chat=repo-desk&panel=draft',
      shown: 'repo-desk',
    });
    expect(firstFrameAddress(at('rubbish'))).toMatchObject({ src: '/studio/', shown: undefined });
  });

  it('loads anew when the address goes to another chat', () => {
    const next = followAddress(firstFrameAddress(at(a)), at(b));
    expect(next).toMatchObject({ generation: 1, src: `/studio/?chat=${b}`, shown: b });
  });

  it('does not load again when the address follows a chat made inside the frame', () => {
    const place = firstFrameAddress(at('new'));
    const said = followFrame(place, a);
    expect(followAddress(said, at('new'))).toBe(said);
    expect(followAddress(said, at(a))).toMatchObject({ generation: 0, src: place.src, shown: a });
  });

  it('does not load again when the address follows a bare or a legacy link', () => {
    expect(followAddress(followFrame(firstFrameAddress(at(null)), a), at(a)).generation).toBe(0);
    const legacy = followFrame(firstFrameAddress(at(null, 'desk', 'draft')), 'repo-desk');
    expect(followAddress(legacy, at('repo-desk', null, 'draft')).generation).toBe(0);
  });

  it('goes to an empty chat again after the last empty chat became one', () => {
    const made = followAddress(followFrame(firstFrameAddress(at('new')), a), at(a));
    expect(followAddress(made, at('new'))).toMatchObject({ generation: 1, src: '/studio/?chat=new' });
  });

  it('loads again where the frame is, not where it started', () => {
    expect(loadAgain(followFrame(firstFrameAddress(at('new')), a))).toMatchObject({
      generation: 1,
      src: `/studio/?chat=${a}`,
    });
    expect(loadAgain(firstFrameAddress(at(null)))).toMatchObject({ generation: 1, src: '/studio/' });
  });
});

describe('what stands before the studio', () => {
  const studio = { state: 'ready', upstream: 'http://studio:8080' } as const;
  const platform: Platform = {
    version: '1',
    sandbox: false,
    studio,
    source: 'live',
    complete: true,
    read_at: '',
    unmeasured: [],
  };
  const kind = (over: Partial<Parameters<typeof studioTrouble>[0]>) =>
    studioTrouble({ me: { authed: true }, platform, frameStatus: undefined, ...over })?.kind;

  it('is nothing while somebody is signed in and the studio answers, or is not yet known', () => {
    expect(kind({})).toBeUndefined();
    expect(kind({ platform: undefined, frameStatus: 200 })).toBeUndefined();
  });

  it('is the nearest cause', () => {
    expect(kind({ me: { authed: false }, frameStatus: 401 })).toBe('nobody');
    expect(
      kind({ platform: { ...platform, studio: { ...studio, state: 'key_missing' } }, frameStatus: 503 }),
    ).toBe('key_missing');
    expect(kind({ platform: { ...platform, studio: { ...studio, state: 'unreachable' } } })).toBe(
      'unreachable',
    );
    expect(kind({ frameStatus: 503 })).toBe('refused');
  });
});

const status = (state: 'working' | 'building' | 'live' | 'failed' | 'idle') => ({
  open_jobs: 0,
  has_brief: true,
  default_branch: 'main',
  verification: 'platform/ci',
  last_run_found: true,
  last_run_url: 'javascript:alert(1)',
  state,
  state_detail: `${state} in words`,
  source: 'github',
  read_at: '2026-01-01T00:00:00Z',
  cached: false,
  reads: {},
});
const app = (name: string, state?: Parameters<typeof status>[0]): StudioList['apps'][number] => ({
  name,
  description: '',
  html_url: `https://code.example/${name}`,
  updated_at: '2026-01-01T00:00:00Z',
  kind: 'web',
  ...(state !== undefined && { status: status(state) }),
});
const list = (over: Partial<StudioList>): StudioList => ({
  apps: [],
  org: '',
  source: 'github',
  complete: true,
  unmeasured: [],
  statusComplete: true,
  ...over,
});

describe('the studio rail', () => {
  it('says each state in the product’s words, and never calls an unread one anything else', () => {
    const apps = [
      app('a', 'working'),
      app('b', 'building'),
      app('c', 'live'),
      app('d', 'failed'),
      app('e', 'idle'),
      app('f'),
    ];
    const unmeasured = ['f: reads skipped, quota at the reserve'];
    const rows = railApps([], list({ apps, unmeasured }));
    expect(rows.map(({ state }) => state?.label)).toEqual([
      'Working',
      'Building',
      'Live',
      'Failed',
      'Idle',
      'Not read',
    ]);
    expect(rows.at(-1)).toMatchObject({
      state: { state: 'unknown' },
      detail: 'reads skipped, quota at the reserve',
      chat: 'repo-f',
    });
  });

  it('keeps the apps only the studio knows, and drops the states when none were read', () => {
    const known = [{ name: 'desk', chatId: 'repo-desk', updatedAt: 1 }];
    expect(railApps(known, list({ apps: [app('a', 'live')] })).map(({ name }) => name)).toEqual([
      'a',
      'desk',
    ]);
    const [row] = railApps(known, list({ source: 'unavailable', complete: false, apps: [app('a', 'live')] }));
    expect(row).toMatchObject({ name: 'desk', state: undefined });
  });

  it('opens no chat for a repository that cannot be an app, and links only to the web', () => {
    const [row] = railApps([], list({ apps: [{ ...app('Big.Repo', 'live') }] }));
    expect(row).toMatchObject({
      chat: undefined,
      lastRun: undefined,
      repository: 'https://code.example/Big.Repo',
    });
    expect(webAddress('data:text/html,x')).toBeUndefined();
    expect(webAddress('https://')).toBeUndefined();
  });

  it('says how much was read, and that a list was cut short', () => {
    expect(stateCoverage(list({ apps: [app('a', 'live')] }), undefined).label).toBe('All 1 app states read');
    expect(
      stateCoverage(list({ apps: [app('a', 'live'), app('b')], complete: false }), undefined).label,
    ).toBe('1 of 2 app states read, list cut short');
    const unread = stateCoverage(list({ source: 'unavailable', unmeasured: ['no App'] }), undefined);
    expect(unread).toMatchObject({ read: 0, label: 'App states not read', unmeasured: ['no App'] });
    expect(stateCoverage(undefined, 'The console answered 500.').unmeasured).toEqual([
      'The console answered 500.',
    ]);
  });

  it('takes the frame’s words for a chat before the list’s, and shows a chat the list does not have yet', () => {
    const chats = [{ id: a, title: 'Old', project: 'desk', updatedAt: 1 }];
    const said = { type: 'studio.chat', id: a, title: 'New', project: '' } as const;
    expect(railChats(chats, said)).toEqual([{ id: a, title: 'New', project: 'desk', updatedAt: 1 }]);
    expect(railChats(chats, { ...said, id: b })[0]).toMatchObject({ id: b, title: 'New' });
  });

  it('filters by every word', () => {
    expect(passesFilter('inv DESK', 'Invoice matching', 'invoice-desk')).toBe(true);
    expect(passesFilter('inv tide', 'Invoice matching', 'invoice-desk')).toBe(false);
    expect(passesFilter('', 'anything')).toBe(true);
  });
});

describe('the page header', () => {
  const chats = [{ id: a, title: 'Listed', project: 'desk', updatedAt: 1 }];
  const said = { type: 'studio.chat', id: a, title: 'Said', project: 'other' } as const;
  it('says what the frame said of this chat, until then what the list says, at least its id', () => {
    expect(chatHeading(a, said, chats)).toEqual({ title: 'Said', project: 'other' });
    expect(chatHeading(a, { ...said, id: b }, chats)).toEqual({ title: 'Listed', project: 'desk' });
    expect(chatHeading(a, undefined, [])).toEqual({ title: `Chat ${a}`, project: '' });
    expect(chatHeading(a, { ...said, title: '' }, [])).toEqual({ title: 'Untitled chat', project: 'other' });
    expect(chatHeading('repo-desk', undefined, [])).toEqual({ title: 'desk', project: 'desk' });
    expect(chatHeading('new', said, chats)).toEqual({ title: 'New chat', project: '' });
    expect(chatHeading(undefined, said, chats)).toEqual({ title: 'Studio', project: '' });
  });
});
