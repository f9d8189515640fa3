import { type Answer, minutesAgo } from './answer-route.ts';

/** A commit id made of a letter or digit. */
export const shaOf = (character: string): string => character.repeat(40);

/** What every read of the code host says of itself when all of it was read. */
export const wholeReading = (): {
  source: string;
  complete: boolean;
  read_at: string;
  unmeasured: string[];
} => ({
  source: 'github',
  complete: true,
  read_at: minutesAgo(0),
  unmeasured: [],
});

/** The same when nothing could be read. */
export const noReading = (reason: string) => ({
  ...wholeReading(),
  source: 'unavailable',
  complete: false,
  unmeasured: [reason],
});

const setting = { source: 'default', settable: true } as const;

/** What the console says of its code host: attached to none, or to one. */
export const attachment = (configured: boolean): Answer<'codeHost.read'> => ({
  ...(configured ? wholeReading() : noReading('This console is attached to no code host.')),
  configured,
  settings: {
    app_id: setting,
    installation_id: setting,
    api_url: setting,
    reserve: setting,
    private_key: { ...setting, set: configured },
  },
});
