import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Attempt,
  PlaybookService,
  type Run,
  RunState,
  WaitsFor,
} from '#shared/gen/platform/v1/playbook_pb.js';
import { Banner } from '../../components/banner.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { consoleRpc } from '../../core/rpc.ts';
import { useSession } from '../../core/session.tsx';
import css from './playbooks.module.css';
import { kindLabels, shownAttempt } from './run-labels.ts';

type RunTimelineProps = {
  readonly run: Run;
  readonly mayAct: boolean;
};

/** The attempts of a run in order, then the steps that are still to come. */
export function RunTimeline({ run, mayAct }: RunTimelineProps) {
  const underWay = run.state === RunState.RUNNING || run.state === RunState.WAITING;
  const tried = new Set(run.attempts.map(({ step }) => step));
  const next = underWay && !run.cancelling ? run.steps.filter(({ id }) => !tried.has(id)) : [];
  return (
    <ol className={css.timeline} aria-label="Steps">
      {run.attempts.map((attempt) => (
        <AttemptItem key={attempt.seq} run={run} attempt={attempt} mayAct={mayAct} />
      ))}
      {next.map(({ id, title, kind }) => (
        <li key={id} className={css.attempt} data-next>
          <span className={css.mark}>
            <Glyph state="idle" />
          </span>
          <div className={css.head}>
            <h3 className={css.title}>{title}</h3>
            <span className={css.time}>{kindLabels[kind]}, not yet begun</span>
          </div>
        </li>
      ))}
    </ol>
  );
}

type AttemptItemProps = { readonly run: Run; readonly attempt: Attempt; readonly mayAct: boolean };

function AttemptItem({ run, attempt, mayAct }: AttemptItemProps) {
  const shown = shownAttempt(attempt);
  const undoes = run.attempts.find(({ seq }) => seq === attempt.undoes);
  const decides = attempt.waitsFor === WaitsFor.APPROVAL || attempt.waitsFor === WaitsFor.LOOK;
  const again = attempt.undoes === 0 && attempt.attempt > 1;
  return (
    <li className={css.attempt}>
      <span className={css.mark}>
        <Glyph state={shown.state} />
      </span>
      <div className={css.head}>
        <h3 className={css.title}>
          {undoes === undefined ? attempt.title : `Undo: ${undoes.title}`}{' '}
          {again && <Tag>attempt {attempt.attempt}</Tag>}
        </h3>
        <State {...shown} />
        {attempt.startedAt !== undefined && (
          <span className={css.time}>
            <TimeAgo at={timestampMs(attempt.endedAt ?? attempt.startedAt)} fromNow />
          </span>
        )}
      </div>
      {attempt.sentence !== '' && <p className={css.said}>{attempt.sentence}</p>}
      {attempt.note !== '' && (
        <p className={css.said}>
          {attempt.decidedBy}: {attempt.note}
        </p>
      )}
      {attempt.changes.length > 0 && <Lines label="Changes" lines={attempt.changes} />}
      {attempt.warnings.length > 0 && <Lines label="Effects and warnings" lines={attempt.warnings} />}
      {attempt.endedAt === undefined && decides && mayAct && (
        <Decision key={attempt.actDigest} run={run} attempt={attempt} />
      )}
    </li>
  );
}

function Lines({ label, lines }: { readonly label: string; readonly lines: readonly string[] }) {
  return (
    <ul className={css.lines} aria-label={label}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

type DecisionProps = { readonly run: Run; readonly attempt: Attempt };

function Decision({ run, attempt }: DecisionProps) {
  const { me } = useSession();
  const [note, setNote] = useState('');
  const [confirm, setConfirm] = useState('');
  const [looked, setLooked] = useState(false);
  const isLook = attempt.waitsFor === WaitsFor.LOOK;
  const isOwn = attempt.needsOther && me.email === run.startedBy;
  const decide = useMutation({
    mutationFn: async (verdict: 'approve' | 'reject') => {
      const of = { runId: run.id, seq: attempt.seq, note };
      if (verdict === 'reject') await consoleRpc(PlaybookService.method.rejectStep, of);
      else
        await consoleRpc(PlaybookService.method.approveStep, {
          ...of,
          actDigest: attempt.actDigest,
          confirm,
        });
    },
  });
  return (
    <div className={css.decide}>
      {isOwn && (
        <Banner look="note" icon={<Glyph state="idle" />} title="Somebody else approves this.">
          You started this run, and the guardrails ask for a second person.
        </Banner>
      )}
      <TextInput
        label="Note (optional)"
        value={note}
        maxLength={1000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {attempt.confirm !== '' && !isOwn && (
        <TextInput
          label={`Type ${attempt.confirm} to confirm: this target is protected`}
          value={confirm}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setConfirm(event.currentTarget.value)}
        />
      )}
      {isLook && (
        <Checkbox
          label="I looked at the object itself"
          checked={looked}
          onChange={(event) => setLooked(event.currentTarget.checked)}
        />
      )}
      {decide.error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="Nothing was decided.">
          {sentenceOf(decide.error)}
        </Banner>
      )}
      <div className={css.buttons}>
        {!isOwn && (
          <Button
            variant="filled"
            onClick={() => decide.mutate('approve')}
            loading={decide.isPending && decide.variables === 'approve'}
            disabled={decide.isSuccess || (isLook ? !looked : confirm !== attempt.confirm)}
          >
            {isLook ? 'It was done' : 'Approve'}
          </Button>
        )}
        <Button
          onClick={() => decide.mutate('reject')}
          loading={decide.isPending && decide.variables === 'reject'}
          disabled={decide.isSuccess || (isLook && !looked)}
        >
          {isLook ? 'It was not done' : 'Reject'}
        </Button>
      </div>
    </div>
  );
}
