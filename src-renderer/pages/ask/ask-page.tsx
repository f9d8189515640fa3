import { Button } from '@mantine/core';
import { Page } from '../../components/page/page.tsx';
import css from './ask.module.css';
import { Conversation } from './conversation.tsx';
import { useConversation } from './use-conversation.ts';

/** Ask: questions and acts in words, with the places the answers are from. */
export function AskPage() {
  const { entries, ask, isReading, clear } = useConversation();
  return (
    <Page
      title="Ask"
      sub="Questions and acts in words"
      actions={
        <>
          <Button disabled={isReading} onClick={() => ask('daily brief')}>
            Daily brief
          </Button>
          <Button disabled={isReading || entries.length === 0} onClick={clear}>
            Clear
          </Button>
        </>
      }
    >
      <div className={css.whole}>
        <Conversation />
      </div>
    </Page>
  );
}
