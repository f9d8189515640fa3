import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ActClass, type Autonomy, autonomy, type Guardrails } from '#shared/api/guardrails.ts';
import { Banner } from '../../components/banner.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { Board, Counted } from '../../components/judged/board.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useAllowlist } from '../../core/access.ts';
import { useReading } from '../../core/reading.tsx';
import css from './guardrails-page.module.css';
import { guardrailsQuery } from './guardrails-query.ts';
import { autonomyLabels, classTitles } from './labels.ts';
import { SaveGuardrails } from './save-guardrails.tsx';

const everyMs = 30_000;

/** Shows and sets how much the platform may do by itself, and the limits that nobody can loosen. */
export function GuardrailsPage() {
  const { every } = useReading();
  const query = useQuery({ ...guardrailsQuery, refetchInterval: every(everyMs) });
  const changedAt = query.data?.changed_at;
  return (
    <Page
      title="Guardrails"
      sub="What the platform may do by itself"
      actions={
        changedAt !== undefined && (
          <span className={css.changed}>
            Changed <TimeAgo at={Date.parse(changedAt)} />
          </span>
        )
      }
    >
      <PlainAnswer
        query={query}
        what="the guardrails"
        meanwhile="The console still obeys them; only this page could not read them."
        rows={8}
        frame={css.frame}
      >
        {/* A new revision is another form: what was chosen on an older one is not carried over. */}
        {(answer) => <Classes key={answer.revision} answer={answer} />}
      </PlainAnswer>
    </Page>
  );
}

function Classes({ answer }: { readonly answer: Guardrails }) {
  const { data } = useAllowlist('CONSOLE_SESSION_ADMINS');
  const mayNot = data?.member === false;
  const [chosen, setChosen] = useState<Partial<Record<ActClass, Autonomy>>>({});
  const [saving, setSaving] = useState(false);
  const changes = answer.classes.flatMap(({ class: name, autonomy: before }) => {
    const after = chosen[name];
    return after === undefined || after === before ? [] : [{ name, before, after }];
  });
  return (
    <Board>
      {mayNot && (
        <Banner look="unread" icon={<Glyph state="idle" />} title="You can read them.">
          To change them takes membership of <code>CONSOLE_SESSION_ADMINS</code>.
        </Banner>
      )}
      <Panel
        title="Classes of acts"
        sub={`Revision ${answer.revision}`}
        tools={
          changes.length > 0 && (
            <>
              <Button onClick={() => setChosen({})}>Discard</Button>
              <Button variant="filled" onClick={() => setSaving(true)}>
                Save
              </Button>
            </>
          )
        }
      >
        <ul className={css.classes}>
          {answer.classes.map((each) => (
            <ClassRow
              key={each.class}
              each={each}
              hard={answer.hard.find((limit) => limit.class === each.class)?.sentence}
              value={chosen[each.class] ?? each.autonomy}
              disabled={mayNot}
              onChange={(value) => setChosen({ ...chosen, [each.class]: value })}
            />
          ))}
        </ul>
        <Counted>
          Off: only people act. Ask: a person approves each act. Auto: the platform acts by itself. The
          harness, playbooks, the chat and agents ask before each act; what a person does by hand is limited
          by allowlists and rights.
        </Counted>
      </Panel>
      {saving && changes.length > 0 && (
        <SaveGuardrails revision={answer.revision} changes={changes} onClose={() => setSaving(false)} />
      )}
    </Board>
  );
}

type ClassRowProps = {
  readonly each: Guardrails['classes'][number];
  /** The hard limit in a sentence, where there is one. */
  readonly hard: string | undefined;
  readonly value: Autonomy;
  readonly disabled: boolean;
  readonly onChange: (value: Autonomy) => void;
};

function ClassRow({
  each: { class: name, acts, autonomy: stored, most },
  hard,
  value,
  ...rest
}: ClassRowProps) {
  const allowed = autonomy.options.slice(0, autonomy.options.indexOf(most) + 1);
  const title = classTitles[name];
  return (
    <li className={css.row}>
      <div>
        <h3 className={css.title}>
          {title} {value !== stored && <Tag>not saved</Tag>}
        </h3>
        <p className={css.acts}>{`${acts.charAt(0).toUpperCase()}${acts.slice(1)}.`}</p>
        {hard !== undefined && (
          <p className={css.hard}>
            <b>Hard limit:</b> {hard} {autonomyLabels[most]} is the most.
          </p>
        )}
      </div>
      <SegmentedControl
        aria-label={`Autonomy of ${title.toLowerCase()}`}
        size="xs"
        disabled={rest.disabled}
        data={autonomy.options.map((option) => ({
          value: option,
          label: autonomyLabels[option],
          disabled: !allowed.includes(option),
        }))}
        value={value}
        onChange={(next) => {
          const known = autonomy.options.find((option) => option === next);
          if (known !== undefined) rest.onChange(known);
        }}
      />
    </li>
  );
}
