import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { call } from '../../core/api.ts';
import css from './ask.module.css';
import { AskEntry } from './ask-entry.tsx';
import { useConversation } from './use-conversation.ts';

/** Examples that stand where nothing was asked yet. */
const starters = ['daily brief', 'what needs attention', 'what is wrong', 'runs failed today', 'help'];

/** The questions of this tab with their answers, and the field for the next one. */
export function Conversation() {
  const { entries, ask, isReading, open } = useConversation();
  const tools = useQuery({
    queryKey: ['chat', 'tools'],
    queryFn: () => call('chat.tools'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [text, setText] = useState('');
  const list = useId();
  const end = useRef<HTMLDivElement>(null);
  const newest = entries.at(-1);
  useEffect(() => {
    // Not returned: in newer browsers it is a promise.
    void end.current?.scrollIntoView({ block: 'end' });
  }, [newest?.id, newest?.text, newest?.state]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const question = text.trim();
    if (question === '' || isReading) return;
    ask(question);
    setText('');
  };
  const suggestions = text.length < 2 ? [] : suggested(text, tools.data?.items ?? []);
  return (
    <div className={css.conversation}>
      <div className={css.entries} role="log" aria-label="Questions and answers" aria-busy={isReading}>
        {entries.length === 0 && <Starters onAsk={ask} />}
        {entries.map((entry) => (
          <AskEntry key={entry.id} entry={entry} onSay={ask} />
        ))}
        <div ref={end} />
      </div>
      <form className={css.form} onSubmit={submit}>
        <TextInput
          className={css.field}
          aria-label="Question"
          placeholder={
            open === undefined
              ? 'Ask, or type an act such as restart NAME'
              : `Ask about ${open.name}, or type an act`
          }
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={2000}
          list={list}
          autoComplete="off"
          spellCheck={false}
        />
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
        <Button type="submit" variant="filled" disabled={text.trim() === '' || isReading}>
          Ask
        </Button>
      </form>
    </div>
  );
}

function Starters({ onAsk }: { readonly onAsk: (question: string) => void }) {
  return (
    <div className={css.starters}>
      <p>
        Ask what the pages show, one thing at a time. Each answer says where its facts stand. Acts are shown
        with their changes first, and carried out only when you confirm them.
      </p>
      <div className={css.chips}>
        {starters.map((starter) => (
          <Button key={starter} onClick={() => onAsk(starter)}>
            {starter}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** Example messages that go on as the text began, or hold its words. */
function suggested(text: string, tools: readonly { readonly examples: readonly string[] }[]): string[] {
  const begun = text.toLowerCase();
  const all = tools.flatMap(({ examples }) => examples);
  const starting = all.filter((example) => example.toLowerCase().startsWith(begun));
  const holding = all.filter(
    (example) => !starting.includes(example) && example.toLowerCase().includes(begun),
  );
  return [...starting, ...holding].slice(0, 8);
}
