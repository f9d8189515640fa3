import type { HealthState } from '#shared/api/cluster.ts';
import type { SearchGroup, SearchResult } from '#shared/api/search.ts';
import { matchedPieces, type Piece, queryParts, rankTitle } from '#shared/search/match-name.ts';
import type { Command } from '../../core/commands.tsx';
import type { Icon } from '../../core/icon.ts';
import {
  IconActivity,
  IconBookmark,
  IconBox,
  IconFileText,
  IconGitMerge,
  IconKey,
  IconLayoutDashboard,
  IconLink,
  IconPackage,
  IconPlayerPlay,
  IconServer2,
} from '../../core/icons/icons.ts';
import type { SearchAnswer } from './use-search.ts';

/** One line of the palette: a command of the window, or what the console found. */
export type Result = {
  readonly id: string;
  readonly pieces: readonly Piece[];
  readonly icon: Icon | undefined;
  readonly state?: HealthState | undefined;
  /** A few words of difference. */
  readonly detail?: string | undefined;
  /** Kind and namespace of an object. */
  readonly place?: string | undefined;
  readonly keys?: string | undefined;
  readonly opens: { readonly command: Command } | { readonly address: string };
};

export type ResultGroup = {
  readonly title: string;
  readonly results: readonly Result[];
  /** How many more there are. */
  readonly more: number;
  /** Name of the cluster or bundle that they are in. */
  readonly target?: string | undefined;
};

/** Most results of one group while no kind is chosen. */
const mostPerGroup = 6;

/** Groups in the order in which they stand when they match equally well. */
const groupOrder = [
  'Pages',
  'Saved',
  'Records',
  'Workloads',
  'Pods',
  'Namespaces',
  'Nodes',
  'Objects',
  'Apps',
  'Chats',
  'Runs',
  'Commits',
  'Actions',
  'Symptoms',
  'Audit records',
  'Sessions',
  'Moving',
];

/** The console's groups by their titles; pages and targets are commands of the window, with their keys. */
const foundGroups: Readonly<Partial<Record<SearchGroup, { readonly title: string; readonly icon: Icon }>>> = {
  namespaces: { title: 'Namespaces', icon: IconBox },
  workloads: { title: 'Workloads', icon: IconLayoutDashboard },
  pods: { title: 'Pods', icon: IconPackage },
  nodes: { title: 'Nodes', icon: IconServer2 },
  objects: { title: 'Objects', icon: IconFileText },
  apps: { title: 'Apps', icon: IconBox },
  saved: { title: 'Saved', icon: IconBookmark },
  runs: { title: 'Runs', icon: IconPlayerPlay },
  commits: { title: 'Commits', icon: IconGitMerge },
  symptoms: { title: 'Symptoms', icon: IconActivity },
  audit: { title: 'Audit records', icon: IconLink },
  sessions: { title: 'Sessions', icon: IconKey },
};

type Ranked = ResultGroup & { readonly rank: number };

/** What the query finds, by group, the group with the best match first. `only` narrows to one group and lifts the bound. */
export function findResults(
  commands: readonly Command[],
  answer: SearchAnswer | undefined,
  query: string,
  only: string | undefined,
): readonly ResultGroup[] {
  const parts = queryParts(query);
  const found = parts.length === 0 ? [] : (answer?.groups ?? []).flatMap((group) => foundGroup(group, parts));
  const names = new Set(found.flatMap(({ results }) => results.map(({ pieces }) => textOf(pieces))));
  // What the open page lists is not said twice.
  const own = ownGroups(commands, parts, only).map((group) =>
    group.title === 'Records' || group.title === 'Symptoms'
      ? { ...group, results: group.results.filter(({ pieces }) => !names.has(textOf(pieces))) }
      : group,
  );
  const ofApps = new Set(
    own.find(({ title }) => title === 'Apps')?.results.map(({ pieces }) => textOf(pieces)) ?? [],
  );
  const merged = new Map<string, Ranked>();
  for (const group of [...own, ...found]) {
    const before = merged.get(group.title);
    const results =
      before === undefined
        ? group.results
        : [...before.results, ...group.results.filter(({ pieces }) => !ofApps.has(textOf(pieces)))];
    merged.set(group.title, { ...group, results, rank: Math.min(group.rank, before?.rank ?? group.rank) });
  }
  const placeOf = ({ title }: ResultGroup): number => groupOrder.indexOf(title);
  return [...merged.values()]
    .filter(({ title, results }) => results.length > 0 && (only === undefined || title === only))
    .sort((a, b) => a.rank - b.rank || placeOf(a) - placeOf(b));
}

const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('');

function ownGroups(
  commands: readonly Command[],
  parts: readonly string[],
  only: string | undefined,
): readonly Ranked[] {
  const groups = new Map<string, { readonly command: Command; readonly rank: number }[]>();
  for (const command of commands) {
    if (command.inPalette === false) continue;
    const rank = rankTitle(command.title, command.detail, parts);
    if (rank === undefined) continue;
    groups.set(command.group, [...(groups.get(command.group) ?? []), { command, rank }]);
  }
  return [...groups].map(([title, matching]) => {
    const sorted = matching.toSorted((a, b) => a.rank - b.rank);
    const shown = only === undefined ? sorted.slice(0, mostPerGroup) : sorted;
    return {
      title,
      rank: sorted[0]?.rank ?? 0,
      more: sorted.length - shown.length,
      results: shown.map(({ command }) => ({
        id: command.id,
        pieces: matchedPieces(command.title, parts),
        icon: command.icon,
        detail: command.detail,
        keys: command.keys,
        opens: { command },
      })),
    };
  });
}

function foundGroup(
  { group, items, more }: SearchAnswer['groups'][number],
  parts: readonly string[],
): readonly Ranked[] {
  const shown = foundGroups[group];
  if (shown === undefined) return [];
  const ranks = items.map(({ name, detail, kind, namespace }) =>
    rankTitle(name, [detail, kind, namespace].join(' '), parts),
  );
  return [
    {
      title: shown.title,
      more,
      target: items[0]?.target,
      rank: Math.min(...ranks.map((rank) => rank ?? 3)),
      results: items.map((item) => foundResult(group, item, shown.icon, parts)),
    },
  ];
}

function foundResult(
  group: SearchGroup,
  { id, name, kind, namespace, detail, state, address }: SearchResult,
  icon: Icon,
  parts: readonly string[],
): Result {
  const named = group === 'pods' || group === 'nodes' || group === 'namespaces' ? undefined : kind;
  return {
    id: `${group}.${id}`,
    pieces: matchedPieces(name, parts),
    icon,
    state,
    detail,
    place: [named, namespace].filter((part) => part !== undefined).join(' · ') || undefined,
    opens: { address },
  };
}
