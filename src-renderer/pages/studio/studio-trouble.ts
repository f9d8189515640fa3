import type { Me } from '#shared/api/sign-in.ts';
import type { Platform } from '#shared/api/system.ts';
import type { StateName } from '../../core/state-name.ts';

/** Explains why the studio is not shown: what happened, to what, what to do. */
export type StudioTrouble = {
  readonly kind: 'nobody' | 'key_missing' | 'unreachable' | 'refused';
  readonly state: StateName;
  readonly label: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** The other side's own words. */
  readonly raw?: string | undefined;
};

type Known = {
  readonly me: Pick<Me, 'authed'>;
  readonly platform: Platform | undefined;
  /** The status the frame's page came with. */
  readonly frameStatus: number | undefined;
};

/** Returns what keeps the person from the studio, the nearest cause first; undefined if nothing known does. */
export function studioTrouble({ me, platform, frameStatus }: Known): StudioTrouble | undefined {
  if (!me.authed) return nobody;
  const studio = platform?.studio;
  if (studio?.state === 'key_missing') {
    return {
      kind: 'key_missing',
      state: 'idle',
      label: 'Not set up',
      title: 'No studio is attached yet',
      paragraphs: [
        'The studio builds apps and is a service of its own. The console needs its address and a key that both have, to sign who you are.',
        'Set both up in Settings: they are tested before they are kept, and in effect at once.',
      ],
    };
  }
  if (studio?.state === 'unreachable') {
    return {
      kind: 'unreachable',
      state: 'unknown',
      label: 'Not reached',
      title: 'The studio did not answer',
      paragraphs: [
        `Asked ${studio.upstream}. Your chats are stored there and are not lost.`,
        'Check that the studio runs and that STUDIO_UPSTREAM names it.',
      ],
      raw: studio.detail,
    };
  }
  if (frameStatus === undefined || frameStatus < 400) return undefined;
  return {
    kind: 'refused',
    state: 'failing',
    label: 'Not available',
    title: `The studio page came back with ${frameStatus}`,
    paragraphs: [
      frameStatusLabels[frameStatus] ??
        'The studio answered with an error. Try again, or read the log of the console.',
    ],
  };
}

const nobody: StudioTrouble = {
  kind: 'nobody',
  state: 'idle',
  label: 'Not signed in',
  title: 'The studio needs a signed-in person',
  paragraphs: [
    'This console is open: it has no sign-in, so it cannot say who you are. The studio acts for a named person only and answers 401.',
    'Set CONSOLE_ADMIN_PASSWORD, or an identity provider, restart the console and sign in.',
  ],
};

const frameStatusLabels: Readonly<Record<number, string>> = {
  401: 'The session was not accepted for the studio. It may just have ended: try again, or sign in again.',
  403: 'This person may not use the studio.',
  502: 'The console reached the studio, but its answer was cut off.',
  503: 'The console could not pass the request on. The studio, or the key it needs, is not there right now.',
  504: 'The studio took too long to answer.',
};
