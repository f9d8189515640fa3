import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Command, useCommands } from '../../core/commands.tsx';
import { IconBox, IconMessage } from '../../core/icons/icons.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { railApps } from './rail-model.ts';
import { appStatesQuery, appsQuery, chatsQuery, useStudioReady } from './studio-queries.ts';

/** Offers the person's chats and apps by name on every page. Reads what the studio page reads, but never polls. */
export function useStudioIndex(): void {
  const [, go] = usePageAddress();
  const askable = useStudioReady();
  const { data: chats } = useQuery({ ...chatsQuery, enabled: askable });
  const { data: apps } = useQuery({ ...appsQuery, enabled: askable });
  const { data: states } = useQuery({ ...appStatesQuery, enabled: askable });
  const commands = useMemo<readonly Command[]>(
    () => [
      ...(chats ?? []).map<Command>(({ id, title, project }) => ({
        id: `chat.${id}`,
        group: 'Chats',
        title: title || 'Untitled chat',
        detail: project,
        icon: IconMessage,
        to: { tab: 'forgeStudio', chat: id },
        run: () => go({ tab: 'forgeStudio', chat: id }),
      })),
      ...railApps(apps ?? [], states).flatMap<Command>(({ name, chat, state }) =>
        chat === undefined
          ? []
          : {
              id: `app.${name}`,
              group: 'Apps',
              title: name,
              detail: state?.label,
              icon: IconBox,
              to: { tab: 'forgeStudio', chat },
              run: () => go({ tab: 'forgeStudio', chat }),
            },
      ),
    ],
    [chats, apps, states, go],
  );
  useCommands(commands);
}
