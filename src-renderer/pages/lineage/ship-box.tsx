import { Button, TextInput } from '@mantine/core';
import { IconGitCommit } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type Ref, useState } from 'react';
import { Glyph } from '../../components/glyph.tsx';
import { KeyCaps } from '../../components/key-caps.tsx';
import { Waiting } from '../../components/skeleton.tsx';
import { State } from '../../components/state.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { type AskedCommit, askedCommit } from './asked-commit.ts';
import type { LineageAnswer } from './lineage-queries.ts';
import { imageName, imageStanding, shippedState, shortTag, stepStates, stepTitles } from './lineage-words.ts';
import css from './ship-box.module.css';

type ShipBoxProps = {
  readonly inputRef: Ref<HTMLInputElement>;
  /** The commit the address asks about. */
  readonly asked: AskedCommit | undefined;
  readonly query: UseQueryResult<LineageAnswer>;
  readonly onAsk: (commit: AskedCommit | undefined) => void;
};

/** "Did this commit ship?": a commit's id or address, and the answer in words. */
export function ShipBox({ inputRef, asked, query, onAsk }: ShipBoxProps) {
  return (
    <section className={css.box} aria-label="Did this commit ship?">
      <Question key={asked?.sha} {...{ inputRef, asked, onAsk }} working={query.isFetching} />
      <div className={css.answer} role="status">
        <Answer asked={asked} query={query} />
      </div>
    </section>
  );
}

type QuestionProps = Pick<ShipBoxProps, 'inputRef' | 'asked' | 'onAsk'> & { readonly working: boolean };

function Question({ inputRef, asked, onAsk, working }: QuestionProps) {
  const [written, setWritten] = useState(asked?.sha ?? '');
  const [refused, setRefused] = useState(false);
  return (
    <form
      className={css.question}
      onSubmit={(event) => {
        event.preventDefault();
        if (written.trim() === '') return onAsk(undefined);
        const commit = askedCommit(written);
        setRefused(commit === undefined);
        if (commit !== undefined) onAsk(commit);
      }}
    >
      <h2 className={css.heading}>Did this commit ship?</h2>
      <div className={css.line}>
        <TextInput
          ref={inputRef}
          className={css.input ?? ''}
          value={written}
          onChange={(event) => {
            setWritten(event.currentTarget.value);
            setRefused(false);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
          leftSection={<IconGitCommit size={14} stroke={2} aria-hidden />}
          placeholder="Commit id or address"
          aria-label="Commit id or address"
          aria-invalid={refused}
          error={refused}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" variant="filled" size="md" loading={working && asked !== undefined}>
          Trace <KeyCaps keys="Enter" />
        </Button>
      </div>
      {refused && (
        <p className={css.refused} role="alert">
          This is neither a commit id of 7 characters at least nor the address of a commit.
        </p>
      )}
    </form>
  );
}

function Answer({ asked, query }: Pick<ShipBoxProps, 'asked' | 'query'>) {
  if (asked === undefined) {
    return (
      <p className={css.quiet}>
        Paste a commit id or the address of a commit. The answer names the first step that it has not passed,
        and where each image of its repository is.
      </p>
    );
  }
  const short = asked.sha.slice(0, 7);
  if (query.data === undefined && query.error === null)
    return <Waiting words={`Looking for ${short} in the repositories`} />;
  if (query.data === undefined) {
    return (
      <>
        <p className={css.verdict}>
          <State state="unknown" word="Not read" look="pill" />
          <b>The way of {short} was not read.</b>
        </p>
        <p className={css.quiet}>{sentenceOf(query.error)}</p>
      </>
    );
  }
  return <Words answer={query.data} short={short} />;
}

function Words({ answer, short }: { readonly answer: LineageAnswer; readonly short: string }) {
  const [image] = answer.images;
  const said = answer.answer ?? `Nothing was read of ${short}.`;
  const reasons = answer.unmeasured.filter((reason) => !said.includes(reason));
  return (
    <>
      <p className={css.verdict}>
        <State {...shippedState(answer)} look="pill" />
        {answer.stopped_at !== undefined && (
          <span className={css.stopped}>at {stepTitles[answer.stopped_at].toLowerCase()}</span>
        )}
        <b>{said}</b>
      </p>
      {image !== undefined && (
        <p className={css.what}>
          <code>{(answer.sha ?? image.sha).slice(0, 7)}</code> “{image.title}”
          {image.author !== undefined && ` by ${image.author}`} in {image.repo}
        </p>
      )}
      {answer.images.length > 0 && (
        <ul className={css.images}>
          {answer.images.map((way) => (
            <li key={way.image}>
              <Glyph state={stepStates[imageStanding(way, undefined)].state} />
              <code title={way.image}>
                {imageName(way.image)}
                {way.tag !== undefined && `:${shortTag(way.tag)}`}
              </code>
              {way.where}
            </li>
          ))}
        </ul>
      )}
      {answer.images.length === 0 && reasons.length > 0 && <p className={css.quiet}>{reasons.join(' ')}</p>}
    </>
  );
}
