import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { StudioChatMessage } from '#shared/studio/chat-message.ts';
import { Page } from '../../components/page/page.tsx';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import { useSession } from '../../core/session.tsx';
import { usePlatform } from '../../core/use-platform.ts';
import { chatHeading } from './chat-heading.ts';
import { firstFrameAddress, followAddress, followFrame, loadAgain } from './frame-address.ts';
import { StudioActions } from './studio-actions.tsx';
import css from './studio-page.module.css';
import { StudioRail } from './studio-rail.tsx';
import { studioTrouble } from './studio-trouble.ts';
import { StudioView } from './studio-view.tsx';
import { useStudioCommands } from './use-studio-commands.ts';
import { useStudioLists } from './use-studio-lists.ts';
import { useStudioMessage } from './use-studio-message.ts';

/** The studio: its chats and apps at the left, the service itself in a frame. The frame's own messages name the page. */
export function StudioPage() {
  const [address, go] = usePageAddress();
  const { me } = useSession();
  const platform = usePlatform();
  const { readAgain } = useReading();
  const client = useQueryClient();
  const frame = useRef<HTMLIFrameElement>(null);
  const [said, setSaid] = useState<StudioChatMessage>();
  const [framePage, setFramePage] = useState(() => firstFrameAddress(address));
  // Which generation of the frame has loaded, and with what status: a new frame has not.
  const [loaded, setLoaded] = useState<{
    readonly generation: number;
    readonly status: number | undefined;
  }>();
  const followed = followAddress(framePage, address);
  if (followed !== framePage) setFramePage(followed);

  useStudioMessage(frame, (message) => {
    setSaid(message);
    setFramePage(followFrame(framePage, message.id));
    if (address.chat !== message.id) {
      go(
        { tab: 'forgeStudio', chat: message.id, ...(address.panel !== null && { panel: address.panel }) },
        'replace',
      );
    }
    client.invalidateQueries({ queryKey: ['studio', 'chats'] }, { cancelRefetch: false });
    client.invalidateQueries({ queryKey: ['studio', 'apps'] }, { cancelRefetch: false });
  });

  const current = followed.shown;
  const lists = useStudioLists(said);
  const heading = chatHeading(current, said, lists.chats);
  const railRef = useRef<HTMLElement>(null);
  const status = loaded?.generation === followed.generation ? loaded.status : undefined;
  const trouble = studioTrouble({ me, platform: platform.data, frameStatus: status });
  const { newChat, copyAddress } = useStudioCommands({
    rail: railRef,
    current,
    usable: trouble === undefined,
    go,
  });
  const retry = () => {
    setFramePage(loadAgain(followed));
    readAgain();
  };
  return (
    <Page
      flush
      title={heading.title}
      sub={heading.project}
      actions={
        <StudioActions
          app={lists.apps.find(({ name }) => name === heading.project)}
          coverage={lists.coverage}
          linkable={current !== undefined && current !== 'new'}
          copyAddress={copyAddress}
          onNewChat={trouble === undefined ? newChat : undefined}
        />
      }
    >
      <div className={css.studio}>
        <StudioRail ref={railRef} lists={lists} current={current} onNewChat={newChat} go={go} />
        <StudioView
          framePage={followed}
          frame={frame}
          trouble={trouble}
          known={platform.data !== undefined || platform.isError}
          opened={
            loaded !== undefined && loaded.generation === followed.generation && (loaded.status ?? 200) < 400
          }
          onLoaded={(frameStatus) => setLoaded({ generation: followed.generation, status: frameStatus })}
          onRetry={retry}
          retrying={platform.isFetching}
        />
      </div>
    </Page>
  );
}
