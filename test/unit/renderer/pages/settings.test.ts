import { describe, expect, it } from 'vitest';
import type { AllowlistItem } from '#shared/api/access.ts';
import type { KeyItem, SettingItem } from '#shared/api/settings.ts';
import { variables } from '../../../../src-main/config/index.ts';
import { byPerson } from '../../../../src-renderer/components/session-labels.ts';
import {
  membershipLabel,
  setLabel,
  unsetLabel,
} from '../../../../src-renderer/pages/access/allowlist-labels.ts';
import {
  grouped,
  inUseOrder,
  settingMatches,
  valueLabel,
} from '../../../../src-renderer/pages/settings/settings-labels.ts';

const setting = (name: string, over: Partial<SettingItem> = {}): SettingItem => ({
  name,
  label: 'What it is called',
  type: 'text',
  sentence: 'What it does.',
  source: 'unset',
  settable: true,
  live: false,
  ...over,
});

describe('the settings', () => {
  it('have a name in words, each its own', () => {
    const labels = variables.map(({ label }) => label);
    expect(labels.filter((label) => /_|^[A-Z0-9]+$/.test(label))).toEqual([]);
    expect(new Set(labels).size).toBe(labels.length);
  });

  it('are in groups, each in one, none lost', () => {
    const all = variables.map(({ name }) => setting(name));
    const groups = grouped(all);
    expect(groups.flatMap(({ settings }) => settings.map(({ name }) => name)).sort()).toEqual(
      all.map(({ name }) => name).sort(),
    );
    const titleOf = (name: string) =>
      groups.find(({ settings }) => settings.some((one) => one.name === name))?.title;
    expect(titleOf('CONSOLE_SESSION_ADMINS')).toBe('Who may do what');
    expect(titleOf('CONSOLE_SESSION_HOURS')).toBe('Sign-in');
    expect(titleOf('CONSOLE_LISTEN')).toBe('Addresses');
  });

  it('show the value in use, the default, or how many names there are, never a blank', () => {
    expect(valueLabel(setting('A', { value: '8', source: 'settings' }))).toBe('8');
    expect(valueLabel(setting('A', { default: 'the built renderer', source: 'default' }))).toBe(
      'the built renderer',
    );
    expect(valueLabel(setting('A', { size: 1, source: 'env' }))).toBe('1 name');
    expect(valueLabel(setting('A'))).toBe('not set');
  });

  it('are found by any words of name or sentence', () => {
    expect(settingMatches(setting('CONSOLE_LISTEN'), 'listen does')).toBe(true);
    expect(settingMatches(setting('CONSOLE_LISTEN'), 'listen studio')).toBe(false);
    expect(settingMatches(setting('CONSOLE_LISTEN'), '')).toBe(true);
  });
});

describe('the keys', () => {
  it('that can be changed here come first, those that only the environment could set last', () => {
    const key = (name: string, set: boolean, settable: boolean): KeyItem => ({
      name,
      label: '',
      sentence: '',
      set,
      source: set ? 'env' : 'unset',
      settable,
      generates: false,
    });
    const order = inUseOrder([
      key('A', false, false),
      key('B', true, false),
      key('C', false, true),
      key('D', true, true),
    ]);
    expect(order.map(({ name }) => name)).toEqual(['C', 'D', 'B', 'A']);
  });
});

describe('an allowlist', () => {
  const list: AllowlistItem = {
    name: 'CONSOLE_SESSION_ADMINS',
    configured: false,
    rule_when_unset: 'nobody',
    member: false,
    guards: '',
  };
  it('says whether the person may, and why', () => {
    expect(membershipLabel(list, true)).toEqual({ state: 'idle', label: 'Not allowed (list not set)' });
    expect(membershipLabel({ ...list, member: true }, true).label).toBe('Allowed (list not set)');
    expect(membershipLabel({ ...list, configured: true, member: true }, true).label).toBe('You are on it');
    expect(membershipLabel({ ...list, member: true }, false).label).toBe('Nobody is signed in');
  });

  it('says how it is set and the rule while it is not', () => {
    expect(setLabel(list)).toBe('Not set');
    expect(setLabel({ ...list, configured: true, size: 1, source: 'store' })).toBe(
      '1 person, from the store',
    );
    expect(unsetLabel(list)).toBe('Nobody');
    expect(unsetLabel({ ...list, rule_when_unset: 'everyone admitted' })).toBe('Anyone signed in');
  });
});

describe('everybody’s sessions', () => {
  it('are by person, the one seen last first', () => {
    const session = (email: string, last_seen_at: string) => ({ email, last_seen_at });
    const people = byPerson([
      session('a', '2026-01-01T00:00:00Z'),
      session('b', '2026-01-02T00:00:00Z'),
      session('a', '2026-01-03T00:00:00Z'),
    ]);
    expect(people.map(({ person, sessions }) => [person, sessions.length])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(people[0]?.sessions[0]?.last_seen_at).toBe('2026-01-03T00:00:00Z');
  });
});
