import { Button, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type Ref, useState } from 'react';
import { Glyph } from '../../components/glyph.tsx';
import { KeyCaps } from '../../components/key-caps.tsx';
import { Waiting } from '../../components/skeleton.tsx';
import { State } from '../../components/state.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { IconGitCommit } from '../../core/icons/icons.ts';
import { imageName, imageState, shippedState, shortTag, stepStates, stepTitles } from './lineage-labels.ts';
import type { LineageAnswer } from './lineage-queries.ts';
import { type AskedCommit, parseCommit } from './parse-commit.ts';
import css from './ship-box.module.css';

type ShipBoxProps = {
  readonly inputRef: Ref<HTMLInputElement>;
  /** The commit the address asks about. */
  readonly commit: AskedCommit | undefined;
  readonly query: UseQueryResult<LineageAnswer>;
  readonly onSearch: (commit: AskedCommit | undefined) => void;
};

/** "Did this commit ship?": a commit's id or address, and the answer in words. */
export function ShipBox({ inputRef, commit, query, onSearch }: ShipBoxProps) {
  return (
    <section className={css.box} aria-label="Did this commit ship?">
      <Question key={commit?.sha} {...{ inputRef, commit, onSearch }} working={query.isFetching} />
      <div className={css.answer} role="status">
        <Answer commit={commit} query={query} />
      </div>
    </section>
  );
}

type QuestionProps = Pick<ShipBoxProps, 'inputRef' | 'commit' | 'onSearch'> & { readonly working: boolean };

function Question({ inputRef, commit: requested, onSearch, working }: QuestionProps) {
  const [written, setWritten] = useState(requested?.sha ?? '');
  const [refused, setRefused] = useState(false);
  return (
    <form
      className={css.question}
      onSubmit={(event) => {
        event.preventDefault();
        if (written.trim() === '') return onSearch(undefined);
        const commit = parseCommit(written);
        setRefused(commit === undefined);
        if (commit !== undefined) onSearch(commit);
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
        <Button type="submit" variant="filled" size="md" loading={working && requested !== undefined}>
          Trace <KeyCaps keys="Enter" />
        </Button>
      </div>
      {refused && (
        <p className={css.refused} role="alert">
          Enter a commit id of at least 7 characters or the address of a commit.
        </p>
      )}
    </form>
  );
}

function Answer({ commit, query }: Pick<ShipBoxProps, 'commit' | 'query'>) {
  if (commit === undefined) {
    return (
      <p className={css.quiet}>
        Paste a commit id or the address of a commit. The answer shows the first step it has not passed, and
        where each image of its repository is.
      </p>
    );
  }
  const short = commit.sha.slice(0, 7);
  if (query.data === undefined && query.error === null)
    return <Waiting label={`Looking for ${short} in the repositories`} />;
  if (query.data === undefined) {
    return (
      <>
        <p className={css.verdict}>
          <State state="unknown" label="Not read" look="pill" />
          <b>The path of {short} was not read.</b>
        </p>
        <p className={css.quiet}>{sentenceOf(query.error)}</p>
      </>
    );
  }
  return <Texts answer={query.data} short={short} />;
}

function Texts({ answer, short }: { readonly answer: LineageAnswer; readonly short: string }) {
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
          {answer.images.map((image) => (
            <li key={image.image}>
              <Glyph state={stepStates[imageState(image, undefined)].state} />
              <code title={image.image}>
                {imageName(image.image)}
                {image.tag !== undefined && `:${shortTag(image.tag)}`}
              </code>
              {image.where}
            </li>
          ))}
        </ul>
      )}
      {answer.images.length === 0 && reasons.length > 0 && <p className={css.quiet}>{reasons.join(' ')}</p>}
    </>
  );
}
