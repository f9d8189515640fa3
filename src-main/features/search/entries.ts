import type { AuditItem } from '#shared/api/audit.ts';
import type { Run } from '#shared/api/runs.ts';
import type { Symptom } from '#shared/api/symptoms.ts';
import type { Target } from '#shared/api/targets.ts';
import { ItemKind } from '#shared/gen/platform/v1/workspace_pb.js';
import { placeIn } from '#shared/page-address.ts';
import { pageTitles } from '#shared/page-titles.ts';
import type { Repository } from '../../sources/code-host/index.ts';
import type { Session } from '../sign-in/index.ts';
import type { WorkspaceItemRow } from '../workspace/index.ts';
import type { Entry } from './kept-entries.ts';

/** Characters of a commit's id that are shown. */
const shortSha = 7;

export const pageEntries: readonly Entry[] = Object.entries(pageTitles).map(([tab, name]) => ({
  id: tab,
  name,
  place: { tab },
}));

export const targetEntry = ({ id, name, kind, address }: Target): Entry => ({
  id,
  name,
  also: address,
  detail: kind === 'bundle' ? 'offline bundle' : address,
  place: { tab: 'overview', target: id },
});

export const appEntry = ({ name, description }: Repository): Entry => ({
  id: name,
  name,
  detail: description,
  place: { tab: 'forgeStudio', app: name },
});

const runStates: Readonly<Partial<Record<Run['state'], Entry['state']>>> = {
  success: 'healthy',
  failure: 'failing',
  running: 'working',
};

export const runEntry = ({ id, name, title, repo, state }: Run): Entry => ({
  id,
  name: title ?? name,
  also: `${name} ${repo ?? ''}`,
  detail: [name, repo].filter((part) => part !== undefined && part !== title).join(', '),
  state: runStates[state],
  place: { tab: 'runs', run: id },
});

/** The commits that runs were of, newest first. */
export function commitEntries(runs: readonly Run[]): Entry[] {
  const bySha = new Map<string, Entry>();
  for (const { sha, repo, title, branch } of runs)
    if (sha !== undefined && !bySha.has(sha))
      bySha.set(sha, {
        id: sha,
        name: sha,
        also: title,
        detail: [title, repo, branch].filter((part) => part !== undefined).join(', '),
        place: { tab: 'lineage', sha, ...(repo !== undefined && { repo }) },
      });
  return [...bySha.values()];
}

/** A commit's id as it is shown. */
export const shownName = (group: string, name: string): string =>
  group === 'commits' ? name.slice(0, shortSha) : name;

export const symptomEntry = ({ id, title }: Symptom): Entry => ({
  id,
  name: title.replaceAll('`', '').replace(/\{\w+\}/g, '…'),
  also: id,
  place: { tab: 'troubleshoot', panel: 'catalogue', record: id },
});

export const auditEntry = ({ seq, actor, action, target, summary, outcome }: AuditItem): Entry => ({
  id: String(seq),
  name: summary,
  also: `${actor} ${action} ${target} ${seq}`,
  detail: `${action} by ${actor}`,
  state: outcome === 'success' ? 'healthy' : 'failing',
  place: { tab: 'audit', record: String(seq) },
});

export const sessionEntry = ({ id, method, userAgent }: Session): Entry => ({
  id,
  name: userAgent ?? `Session by ${method}`,
  also: `session ${method}`,
  detail: `signed in by ${method}`,
  place: { tab: 'settings', section: 'sessions' },
});

const savedKinds: Readonly<Record<number, string>> = {
  [ItemKind.VIEW]: 'View',
  [ItemKind.PIN]: 'Pin',
  [ItemKind.NOTE]: 'Note',
};

/** A saved view, pin or note; a note that is about no page opens the workspace. */
export function savedEntry({ id, kind, title, address, text, shared, owner }: WorkspaceItemRow): Entry[] {
  const place = address === '' ? { tab: 'workspace' } : placeIn(address);
  const page = Object.entries(pageTitles).find(([tab]) => tab === place.tab)?.[1];
  const name = savedKinds[kind];
  if (name === undefined) return [];
  const detail = [name, page, shared === 1 ? `shared by ${owner}` : undefined];
  return [
    {
      id,
      name: title,
      also: text.slice(0, 200),
      detail: detail.filter((part) => part !== undefined).join(', '),
      place,
    },
  ];
}
