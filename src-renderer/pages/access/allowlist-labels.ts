import type { AllowlistItem } from '#shared/api/access.ts';
import type { StateName } from '../../core/state-name.ts';

const sources: Readonly<Record<NonNullable<AllowlistItem['source']>, string>> = {
  env: 'from the environment',
  settings: 'from the settings file',
  store: 'from the store',
  sandbox: 'from the sandbox',
};

/** Formats the size and source of a list: `3 people, from the environment`. */
export function setLabel({ configured, size, source }: AllowlistItem): string {
  if (!configured) return 'Not set';
  const people = size === 1 ? '1 person' : `${size ?? 0} people`;
  return source === undefined ? people : `${people}, ${sources[source]}`;
}

/** Describes the rule that applies while a list is unset. */
export function unsetLabel({ rule_when_unset }: AllowlistItem): string {
  return rule_when_unset === 'nobody' ? 'Nobody' : 'Anyone signed in';
}

/** Tells whether the person is allowed what the list guards, and why. */
export function membershipLabel(
  { member, configured }: AllowlistItem,
  signedIn: boolean,
): { readonly state: StateName; readonly label: string } {
  if (!signedIn) return { state: 'idle', label: 'Nobody is signed in' };
  if (member) return { state: 'healthy', label: configured ? 'You are on it' : 'Allowed (list not set)' };
  return { state: 'idle', label: configured ? 'You are not on it' : 'Not allowed (list not set)' };
}
