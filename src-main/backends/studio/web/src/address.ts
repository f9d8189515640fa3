import { isAppName, isChatId, isStudioPanel, maxCmdBytes, type StudioPanel } from '#shared/studio/link.ts';

/** The parsed address of the studio (CON-062 to CON-066). */
export type StudioAddress = {
  /** A chat id, or undefined for an empty chat. */
  readonly chat: string | undefined;
  readonly panel: StudioPanel | undefined;
  /** Text to put in the composer. It is never sent by itself. */
  readonly cmd: string | undefined;
};

/** Reads the query of the studio's address. A value without its parameter's shape counts as not given. */
export function readAddress(search: string): StudioAddress {
  const query = new URLSearchParams(search);
  const chat = query.get('chat');
  const app = query.get('app');
  const panel = query.get('panel');
  const cmd = query.get('cmd');
  const fits = cmd !== null && cmd !== '' && new TextEncoder().encode(cmd).length <= maxCmdBytes;
  const legacy = isAppName(app) ? `repo-${app}` : undefined;
  return {
    chat: isChatId(chat) ? chat : chat === 'new' ? undefined : legacy,
    panel: isStudioPanel(panel) ? panel : undefined,
    cmd: fits ? cmd : undefined,
  };
}

/** The query that keeps what is open as view state; `cmd` and `app` are never written. */
export function viewQuery(view: {
  readonly chat: string | undefined;
  readonly panel: StudioPanel | undefined;
}): string {
  return `?chat=${view.chat ?? 'new'}${view.panel === undefined ? '' : `&panel=${view.panel}`}`;
}
