import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Playbook, Run } from '#shared/gen/platform/v1/playbook_pb.js';
import { Drawer } from '../../components/dialogs/drawer.tsx';
import { DrawerHead } from '../../components/dialogs/drawer-head.tsx';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useAllowlist, useMayAdminister } from '../../core/access.ts';
import css from './playbooks.module.css';
import { kindLabels, shownRun } from './run-labels.ts';
import { StartPlaybook } from './start-playbook.tsx';

type PlaybookDrawerProps = {
  /** Undefined for an address that names none. */
  readonly row: { readonly playbook: Playbook; readonly runs: readonly Run[] } | undefined;
  readonly address: string;
  readonly runAddress: (id: string) => string;
  readonly onRun: (id: string) => void;
  readonly onEdit: (name: string) => void;
  readonly onClose: () => void;
};

/** Most runs that are listed beside a playbook. */
const mostRuns = 15;

/** One playbook beside the list: what it does, what it needs, and its last runs. */
export function PlaybookDrawer({ row, address, runAddress, onRun, onEdit, onClose }: PlaybookDrawerProps) {
  const [starting, setStarting] = useState(false);
  const mayStart = useAllowlist('CONSOLE_CLUSTER_ADMINS').data?.member === true;
  const mayEdit = useMayAdminister() === true;
  if (row === undefined)
    return (
      <Drawer name="Playbook" onClose={onClose}>
        <DrawerHead what="playbook" title={undefined} address={address} onClose={onClose}>
          {null}
        </DrawerHead>
        <div className={css.room}>
          <FailurePanel state="idle" label="Not found" title="There is no such playbook">
            <p>It may have been deleted.</p>
          </FailurePanel>
        </div>
      </Drawer>
    );
  const { playbook, runs } = row;
  return (
    <Drawer name={`Playbook ${playbook.title}`} onClose={onClose}>
      <DrawerHead what="playbook" title={playbook.title} address={address} onClose={onClose}>
        {playbook.armed && <Tag>starts by itself</Tag>}
        <Tag>{playbook.shipped ? 'shipped' : 'saved'}</Tag>
      </DrawerHead>
      {playbook.description !== '' && <p className={css.text}>{playbook.description}</p>}
      {(mayStart || mayEdit) && (
        <div className={css.actions}>
          {mayStart && (
            <Button variant="filled" onClick={() => setStarting(true)}>
              Start
            </Button>
          )}
          {mayEdit && <Button onClick={() => onEdit(playbook.name)}>Edit</Button>}
        </div>
      )}
      {!mayStart && (
        <p className={css.text}>
          <span className={css.quiet}>Starting it needs membership of CONSOLE_CLUSTER_ADMINS.</span>
        </p>
      )}
      <Part title="Steps" sub={String(playbook.steps.length)}>
        <ol className={css.steps}>
          {playbook.steps.map(({ id, title, kind }) => (
            <li key={id}>
              <span className={css.kind}>{kindLabels[kind]}</span>
              <span>{title}</span>
            </li>
          ))}
        </ol>
      </Part>
      <Part title="Runs">
        {runs.length === 0 ? (
          <p className={css.quiet}>It has not run yet.</p>
        ) : (
          <ul className={css.runs}>
            {runs.slice(0, mostRuns).map((run) => (
              <li key={run.id}>
                <State {...shownRun(run)} />
                <a
                  href={runAddress(run.id)}
                  onClick={(event) => {
                    event.preventDefault();
                    onRun(run.id);
                  }}
                >
                  {run.rehearsal ? 'Rehearsal' : 'Run'} by {run.startedBy}
                </a>
                {run.startedAt !== undefined && <TimeAgo at={timestampMs(run.startedAt)} fromNow />}
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Part title="Details">
        <Facts>
          <Fact name="Name">
            <code>{playbook.name}</code>
          </Fact>
          {playbook.schedules.map((schedule) => (
            <Fact key={schedule} name="Schedule">
              <code>{schedule}</code> {!playbook.armed && <Tag>off</Tag>}
            </Fact>
          ))}
          {playbook.events.map((event) => (
            <Fact key={event} name="Event">
              <code>{event}</code> {!playbook.armed && <Tag>off</Tag>}
            </Fact>
          ))}
          {playbook.updatedAt !== undefined && (
            <Fact name="Saved">
              <TimeAgo at={timestampMs(playbook.updatedAt)} fromNow /> by {playbook.updatedBy}
            </Fact>
          )}
        </Facts>
      </Part>
      {starting && <StartPlaybook playbook={playbook} onClose={() => setStarting(false)} onRun={onRun} />}
    </Drawer>
  );
}
