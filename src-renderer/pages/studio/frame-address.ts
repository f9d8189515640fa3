import { isAppName, isChatId, studioLink } from '#shared/studio/link.ts';

/** The part of the studio that the console's address requests. */
export type Wanted = {
  readonly chat: string | null;
  readonly app: string | null;
  readonly panel: string | null;
};

/** Current location of the studio frame. */
export type FrameAddress = {
  /** Grows with every address the console gives the frame; a new one is a new frame, so late messages of the old are refused. */
  readonly generation: number;
  readonly src: string;
  /** The chat the frame shows, as asked or as it last said; `new` until the studio has made one. */
  readonly shown: string | undefined;
  /** The last address that was looked at. */
  readonly looked: string;
};

/** The chat an address names: `new`, a chat id, or the one-lane chat of a legacy app link. */
function wantedChat({ chat, app }: Pick<Wanted, 'chat' | 'app'>): string | undefined {
  if (chat === 'new' || isChatId(chat)) return chat;
  return isAppName(app) ? `repo-${app}` : undefined;
}

/** The frame for the address the page was opened at. */
export function firstFrameAddress(wanted: Wanted): FrameAddress {
  return { generation: 0, src: srcOf(wanted), shown: wantedChat(wanted), looked: keyOf(wanted) };
}

/**
 * The frame after the console's address changed. An address that names the chat already shown changes nothing: that is
 * how the address follows the frame without loading it again.
 */
export function followAddress(frame: FrameAddress, wanted: Wanted): FrameAddress {
  const looked = keyOf(wanted);
  if (looked === frame.looked) return frame;
  const chat = wantedChat(wanted);
  if (chat !== undefined && chat === frame.shown) return { ...frame, looked };
  return { generation: frame.generation + 1, src: srcOf(wanted), shown: chat, looked };
}

/** The frame after it said which chat it shows. */
export function followFrame(frame: FrameAddress, chat: string): FrameAddress {
  return frame.shown === chat ? frame : { ...frame, shown: chat };
}

/** The same place, loaded anew: where the frame is now, not where it started. */
export function loadAgain(frame: FrameAddress): FrameAddress {
  const src = frame.shown === undefined ? frame.src : studioLink({ chat: frame.shown });
  return { ...frame, generation: frame.generation + 1, src };
}

/** A legacy app link is asked of the studio as the chat it stands for. */
const srcOf = (wanted: Wanted): string =>
  studioLink({ chat: wantedChat(wanted), panel: wanted.panel ?? undefined });

const keyOf = ({ chat, app, panel }: Wanted): string => JSON.stringify([chat, app, panel]);
