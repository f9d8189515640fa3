import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PlaybookService, type Run, RunState } from '#shared/gen/platform/v1/playbook_pb.js';
import { counted } from '#shared/text.ts';
import { Banner } from '../../components/banner.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Drawer } from '../../components/dialogs/drawer.tsx';
import { DrawerHead } from '../../components/dialogs/drawer-head.tsx';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useAllowlist } from '../../core/access.ts';
import { sentenceOf } from '../../core/failure.ts';
import { consoleRpc } from '../../core/rpc.ts';
import { runsQuery, useRun } from './playbook-queries.ts';
import css from './playbooks.module.css';
import { shownRun } from './run-labels.ts';
import { RunTimeline } from './run-timeline.tsx';

type RunDrawerProps = {
  readonly id: string;
  readonly address: string;
  readonly playbookAddress: (name: string) => string;
  readonly onClose: () => void;
};

/** One run as it goes on: its steps as a timeline, and what a person decides. */
export function RunDrawer({ id, address, playbookAddress, onClose }: RunDrawerProps) {
  const [again, setAgain] = useState(0);
  const { run, error } = useRun(id, again);
  const mayAct = useAllowlist('CONSOLE_CLUSTER_ADMINS').data?.member === true;
  return (
    <Drawer name={run === undefined ? 'Run' : `Run of ${run.title}`} onClose={onClose}>
      <DrawerHead what="run" title={run?.title} address={address} onClose={onClose}>
        {run !== undefined && <State {...shownRun(run)} look="pill" />}
        {run?.rehearsal === true && <Tag>rehearsal</Tag>}
        {run?.cancelling === true && <Tag>being cancelled</Tag>}
      </DrawerHead>
      {error !== undefined && (
        <div className={css.text}>
          {run === undefined ? (
            <FailurePanel state="unknown" label="Not read" title="The run could not be read">
              <p>{sentenceOf(error)}</p>
            </FailurePanel>
          ) : (
            <Banner look="unread" icon={<Glyph state="unknown" />} title="Not followed at the moment.">
              {sentenceOf(error)}
            </Banner>
          )}
        </div>
      )}
      {run === undefined && error === undefined && <SkeletonRows rows={6} />}
      {run !== undefined && (
        <>
          <p className={css.text} role="status">
            {run.sentence}
          </p>
          {mayAct && <RunActions run={run} onAgain={() => setAgain(again + 1)} />}
          <RunTimeline run={run} mayAct={mayAct} />
          <RunFacts run={run} playbookAddress={playbookAddress} />
        </>
      )}
    </Drawer>
  );
}

function RunActions({ run, onAgain }: { readonly run: Run; readonly onAgain: () => void }) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<'cancel' | 'undo'>();
  const underWay = run.state === RunState.RUNNING || run.state === RunState.WAITING;
  const act = useMutation({
    mutationFn: async (what: 'cancel' | 'undo') => {
      if (what === 'cancel') await consoleRpc(PlaybookService.method.cancelRun, { id: run.id });
      else await consoleRpc(PlaybookService.method.undoRun, { id: run.id });
    },
    onSuccess: () => {
      setAsked(undefined);
      onAgain();
    },
    onSettled: () => client.invalidateQueries({ queryKey: runsQuery.queryKey }),
  });
  if (!underWay && run.undoable === 0) return null;
  return (
    <div className={css.actions}>
      {underWay && !run.cancelling && <Button onClick={() => setAsked('cancel')}>Cancel run</Button>}
      {run.undoable > 0 && (
        <Button onClick={() => setAsked('undo')}>Undo {counted(run.undoable, 'act')}</Button>
      )}
      {asked !== undefined && (
        <ConfirmDialog
          title={asked === 'cancel' ? 'Cancel this run?' : 'Undo what this run did?'}
          verb={asked === 'cancel' ? 'Cancel run' : 'Undo'}
          failed={asked === 'cancel' ? 'The run was not cancelled.' : 'Nothing was undone.'}
          working={act.isPending}
          error={act.error}
          onConfirm={() => act.mutate(asked)}
          onClose={() => setAsked(undefined)}
        >
          {asked === 'cancel'
            ? 'It ends before its next step. What it has done stays done, and can be undone afterwards where there is an undo.'
            : `${counted(run.undoable, 'act')} will be undone, the last one first. The guardrails are asked before each.`}
        </ConfirmDialog>
      )}
    </div>
  );
}

function RunFacts({
  run,
  playbookAddress,
}: {
  readonly run: Run;
  readonly playbookAddress: (name: string) => string;
}) {
  return (
    <Part title="Details">
      <Facts>
        <Fact name="Playbook">
          <a href={playbookAddress(run.playbook)}>{run.playbook}</a>
        </Fact>
        <Fact name="Started">
          {run.startedAt !== undefined && <TimeAgo at={timestampMs(run.startedAt)} fromNow />} by{' '}
          {run.startedBy}
          {run.startedKind !== 'person' && <> ({run.startedKind})</>}
        </Fact>
        {run.endedAt !== undefined && (
          <Fact name="Ended">
            <TimeAgo at={timestampMs(run.endedAt)} fromNow />
          </Fact>
        )}
        {run.target !== '' && <Fact name="Target">{run.target}</Fact>}
        {Object.entries(run.inputs).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
        <Fact name="Definition">
          <code>{run.digest.slice(0, 19)}</code>
        </Fact>
      </Facts>
    </Part>
  );
}
