import { Button, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PushToTalk } from '../../components/voice/push-to-talk.tsx';
import { type Speaking, speak } from '../../components/voice/speak.ts';
import { call } from '../../core/api.ts';
import { sentenceOf } from '../../core/failure.ts';
import { useSession } from '../../core/session.tsx';
import css from './talk-dialog.module.css';

/** Longest part of an answer that is spoken, in characters. */
const mostSpoken = 600;

/** Asks the chat by voice: what was written down is shown and can be changed before it is sent. The answer is read aloud. */
export function TalkDialog({ onClose }: { readonly onClose: () => void }) {
  const { me } = useSession();
  const [message, setMessage] = useState('');
  const [aloud, setAloud] = useState(me.voiceTts);
  const [speaking, setSpeaking] = useState<Speaking>();
  const [spoken, setSpoken] = useState<Error | 'whole'>();
  const current = useRef<Speaking>(undefined);
  useEffect(() => () => current.current?.stop(), []);
  const say = (text: string): void => {
    current.current?.stop();
    const next = speak(text.slice(0, mostSpoken));
    current.current = next;
    setSpoken(undefined);
    setSpeaking(next);
    next.ended
      .then(
        () => setSpoken('whole'),
        (error: unknown) => setSpoken(error instanceof Error ? error : new Error(String(error))),
      )
      .finally(() => setSpeaking((now) => (now === next ? undefined : now)));
  };
  const ask = useMutation({
    mutationFn: (text: string) => call('chat.say', { body: { message: text } }),
    onSuccess: ({ reply }) => {
      if (aloud) say(reply);
    },
  });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (message.trim() !== '') ask.mutate(message);
  };
  return (
    <Dialog title="Ask by voice" width={560} onClose={onClose}>
      <div className={css.talk}>
        <PushToTalk onText={setMessage} />
        <form className={css.ask} onSubmit={send}>
          <TextInput
            label="What you said"
            className={css.message}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
          <Button type="submit" variant="filled" loading={ask.isPending} disabled={message.trim() === ''}>
            Ask
          </Button>
        </form>
        {ask.error !== null && (
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title="There is no answer.">
            {sentenceOf(ask.error)}
          </Banner>
        )}
        {ask.data !== undefined && (
          <section aria-label="Answer" className={css.answer}>
            {ask.data.tool !== undefined && <code>{ask.data.tool.name}</code>}
            <p>{ask.data.reply}</p>
          </section>
        )}
        <div className={css.speech}>
          <Switch
            label="Read answers aloud"
            checked={aloud}
            disabled={!me.voiceTts}
            onChange={(event) => setAloud(event.currentTarget.checked)}
          />
          {speaking !== undefined && <Button onClick={() => speaking.stop()}>Stop speaking</Button>}
          <span role="status" className={css.quiet}>
            {speaking !== undefined && 'Speaking'}
            {spoken === 'whole' && speaking === undefined && 'Spoken'}
            {!me.voiceTts && 'No speech service is set (TTSD_URL).'}
          </span>
        </div>
        {spoken instanceof Error && (
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title="The answer was not spoken.">
            {sentenceOf(spoken)}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
