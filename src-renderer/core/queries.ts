import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import type { Me } from '#shared/api/sign-in.ts';
import { call } from './api.ts';
import type { ThemeChoice } from './color-scheme.ts';
import { isSignedOut, isSilence } from './failure.ts';

/** Sign-in state from `/api/me`. */
export type SignInState = {
  readonly me: Me;
  /** Round trip in milliseconds. */
  readonly tookMs: number;
  /** True when this page had a session and has lost it without asking to. */
  readonly ended: boolean;
};

/** Sign-in state. Never fails for want of a session: `/api/me` is open. */
export const signInQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ client }): Promise<SignInState> => {
    const before = client.getQueryData<SignInState>(['me']);
    const started = performance.now();
    const me = await call('signIn.me');
    const had = before !== undefined && (before.me.authed || before.ended);
    return { me, tookMs: performance.now() - started, ended: had && !me.authed && me.authRequired };
  },
});

/** Reads the platform the console is attached to. The top bar refreshes it every 30 s. */
export const platformQuery = queryOptions({ queryKey: ['platform'], queryFn: () => call('system.platform') });

/** How a person arranged one table. */
export type TableArrangement = {
  /** Names of hidden columns. */
  readonly hidden: readonly string[];
  /** The column it is sorted by, after `-` when descending; empty is the table's own order. */
  readonly sort: string;
  /** Pixels of the columns that were resized. */
  readonly widths: Readonly<Record<string, number>>;
};

/** A person's preferences in the product's words. */
export type Preferences = {
  readonly theme: ThemeChoice | undefined;
  readonly density: 'default' | 'compact';
  readonly defaultTab: string;
  /** By table name; a table that is absent shows all of its columns in its own order. */
  readonly tables: Readonly<Record<string, TableArrangement>>;
};

/** Preferences to change; the rest stay as they are. */
export type PreferenceChange = Partial<Omit<Preferences, 'tables'>> & {
  /** Replaces how one table is arranged. */
  readonly columns?: TableArrangement & { readonly table: string };
};

/** The signed-in person's preferences. Ask only with a session: an open console has nobody to keep them for. */
export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: async () => (await import('./profile.ts')).readPreferences(),
  staleTime: Number.POSITIVE_INFINITY,
});

/**
 * The page's cache of answers. A call that says "not signed in" makes the page ask who is here; a call that nothing
 * answered makes it look whether the console is still there. Nothing is retried in secret: a failure is shown, and
 * polling or the person tries again.
 */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const requested = query.queryKey[0];
        if (isSignedOut(error) && requested !== 'me')
          client.invalidateQueries({ queryKey: signInQuery.queryKey });
        if (isSilence(error) && requested !== 'platform')
          client.invalidateQueries({ queryKey: platformQuery.queryKey });
      },
    }),
    defaultOptions: {
      // The console is often on loopback, which needs no network: never wait for the browser to feel online.
      queries: { networkMode: 'always', retry: false, staleTime: 5_000 },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return client;
}
