import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { StudioChatMessage } from '#shared/studio/chat-message.ts';
import { isSilence, sentenceOf } from '../../core/failure.ts';
import { useReading } from '../../core/reading.tsx';
import {
  hasStates,
  type RailApp,
  railApps,
  railChats,
  type StudioChat,
  stateCoverage,
} from './rail-model.ts';
import { appStatesQuery, appsQuery, chatsQuery, useStudioReady } from './studio-queries.ts';

/** Refresh interval of the studio's lists, and of the states that the console caches for 60 s. In milliseconds. */
const listsEveryMs = 20_000;
const statesEveryMs = 60_000;

/** Everything the studio's rail shows. */
export type StudioLists = {
  readonly chats: readonly StudioChat[];
  readonly apps: readonly RailApp[];
  readonly coverage: ReturnType<typeof stateCoverage> | undefined;
  /** True when no app state was read at all. */
  readonly statesMissing: boolean;
  /** True while the chats are read for the first time. */
  readonly reading: boolean;
  /** True when the studio may be asked at all. */
  readonly askable: boolean;
  /** Error reading the chats or the studio's apps; an unreachable console is reported once, above the page. */
  readonly failure: string | undefined;
};

/** Reads chats, apps and their states, and keeps them fresh while the page is visible. */
export function useStudioLists(said: StudioChatMessage | undefined): StudioLists {
  const { every } = useReading();
  const askable = useStudioReady();
  const chats = useQuery({ ...chatsQuery, enabled: askable, refetchInterval: every(listsEveryMs) });
  const apps = useQuery({ ...appsQuery, enabled: askable, refetchInterval: every(listsEveryMs) });
  const states = useQuery({ ...appStatesQuery, refetchInterval: every(statesEveryMs) });
  const failed = chats.error ?? apps.error;
  return useMemo(() => {
    const failure = states.error === null ? undefined : sentenceOf(states.error);
    return {
      chats: railChats(chats.data ?? [], said),
      apps: railApps(apps.data ?? [], states.data),
      coverage: states.isPending ? undefined : stateCoverage(states.data, failure),
      statesMissing: !states.isPending && (states.data === undefined || !hasStates(states.data)),
      reading: askable && chats.isPending,
      askable,
      failure: failed === null || isSilence(failed) ? undefined : sentenceOf(failed),
    };
  }, [
    chats.data,
    chats.isPending,
    apps.data,
    states.data,
    states.error,
    states.isPending,
    failed,
    askable,
    said,
  ]);
}
