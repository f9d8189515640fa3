import type { StudioList } from '#shared/api/studio.ts';
import type { StudioChatMessage } from '#shared/studio/chat-message.ts';
import { isAppName, isChatId } from '#shared/studio/link.ts';
import { readAddress } from '../../core/address.ts';

export type StudioChat = {
  readonly id: string;
  readonly title: string;
  readonly project: string;
  /** Epoch milliseconds. */
  readonly updatedAt: number | undefined;
};

export type StudioApp = {
  readonly name: string;
  readonly chatId: string;
  readonly updatedAt: number | undefined;
};

type ListedApp = StudioList['apps'][number];
type AppStateName = 'healthy' | 'failing' | 'idle' | 'working' | 'unknown';

/** A state of the design's state map. */
export type AppState = { readonly state: AppStateName; readonly label: string };

/** An app as the rail shows it. */
export type RailApp = {
  readonly name: string;
  /** The chat its row opens; undefined for a repository whose name cannot be a studio app. */
  readonly chat: string | undefined;
  /** Undefined when no states were read at all: the column is then gone, and one note stands for it. */
  readonly state: AppState | undefined;
  readonly detail: string;
  readonly repository: string | undefined;
  readonly lastRun: string | undefined;
  readonly updatedAt: number | undefined;
};

const stateMap: Readonly<Record<NonNullable<ListedApp['status']>['state'], AppState>> = {
  working: { state: 'working', label: 'Working' },
  building: { state: 'working', label: 'Building' },
  live: { state: 'healthy', label: 'Live' },
  failed: { state: 'failing', label: 'Failed' },
  idle: { state: 'idle', label: 'Idle' },
};

const notRead: AppState = { state: 'unknown', label: 'Not read' };

/** True when the list holds states: a list whose source did not answer holds none, whatever else it says. */
export const hasStates = (list: StudioList): boolean => list.source !== 'unavailable';

/** The chats, the one the frame last spoke of first brought up to date: its message is newer than the list. */
export function railChats(
  chats: readonly StudioChat[],
  said: StudioChatMessage | undefined,
): readonly StudioChat[] {
  if (said === undefined) return chats;
  const { id, title, project } = said;
  if (!chats.some((chat) => chat.id === id)) return [{ id, title, project, updatedAt: undefined }, ...chats];
  return chats.map((chat) =>
    chat.id === id ? { ...chat, title: title || chat.title, project: project || chat.project } : chat,
  );
}

/** The apps of the code host with their states, then those only the studio knows. */
export function railApps(apps: readonly StudioApp[], list: StudioList | undefined): readonly RailApp[] {
  const stated = list !== undefined && hasStates(list);
  const listed = stated ? list.apps.map((app) => listedApp(app, apps, list.unmeasured)) : [];
  const names = new Set(listed.map(({ name }) => name));
  const others = apps.filter(({ name }) => !names.has(name)).map((app) => studioOnlyApp(app, stated));
  return [...listed, ...others];
}

function listedApp(app: ListedApp, apps: readonly StudioApp[], unmeasured: readonly string[]): RailApp {
  const known = apps.find(({ name }) => name === app.name);
  return {
    name: app.name,
    chat: appChat(app.name, known?.chatId),
    state: app.status === undefined ? notRead : stateMap[app.status.state],
    detail: app.status?.state_detail ?? reasonFor(app.name, unmeasured),
    repository: webAddress(app.html_url),
    lastRun: webAddress(app.status?.last_run_url),
    updatedAt: Date.parse(app.updated_at),
  };
}

/** Returns why an app's state was not read, without the name its row already shows. */
function reasonFor(name: string, unmeasured: readonly string[]): string {
  const reason = unmeasured.find((sentence) => sentence.split(/[^a-z0-9-]+/).includes(name));
  if (reason === undefined) return 'state not read';
  return reason.startsWith(`${name}: `) ? reason.slice(name.length + 2) : reason;
}

function studioOnlyApp(app: StudioApp, stated: boolean): RailApp {
  return {
    name: app.name,
    chat: appChat(app.name, app.chatId),
    state: stated ? notRead : undefined,
    detail: stated ? 'not among the repositories that were read' : '',
    repository: undefined,
    lastRun: undefined,
    updatedAt: app.updatedAt,
  };
}

function appChat(name: string, chatId: string | undefined): string | undefined {
  if (isChatId(chatId)) return chatId;
  return isAppName(name) ? `repo-${name}` : undefined;
}

/** An address to link to, or undefined: what another system sends is not put into a link unless it is a web address. */
export function webAddress(address: string | undefined): string | undefined {
  return address !== undefined && /^https?:\/\//.test(address) && readAddress(address) ? address : undefined;
}

/** True when every word of the filter is in one of the texts. */
export function passesFilter(filter: string, ...texts: readonly string[]): boolean {
  const all = texts.join('\n').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((term) => all.includes(term));
}

/** The coverage chip of the app states. */
export function stateCoverage(list: StudioList | undefined, failure: string | undefined) {
  if (list === undefined || !hasStates(list)) {
    const unmeasured = failure === undefined ? (list?.unmeasured ?? []) : [failure];
    return { read: 0, total: 1, label: 'App states not read', unmeasured };
  }
  const total = list.apps.length;
  const read = list.apps.filter(({ status }) => status !== undefined).length;
  const cut = list.complete ? '' : ', list cut short';
  const label =
    read === total ? `All ${total} app states read${cut}` : `${read} of ${total} app states read${cut}`;
  return { read, total, label: total === 0 ? `No apps to read${cut}` : label, unmeasured: list.unmeasured };
}
