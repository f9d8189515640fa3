import { Button } from '@mantine/core';
import type { Run } from '#shared/api/runs.ts';
import { commitUrl, pullRequestUrl } from '../../components/code-host-links.ts';
import { CommitId } from '../../components/commit-id.tsx';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { Drawer } from '../../components/dialogs/drawer.tsx';
import { DrawerHead } from '../../components/dialogs/drawer-head.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { exactTime } from '../../components/format-time.ts';
import { KeyCaps } from '../../components/key-caps.tsx';
import { listAddress } from '../../components/list/list-address.ts';
import { OutLink } from '../../components/out-link.tsx';
import { isUnderWay, runStates } from '../../components/run-state.ts';
import { RunTime } from '../../components/run-time.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { IconExternalLink, IconFileText, IconListCheck } from '../../core/icons/icons.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { runsPlan } from './run-filter.ts';
import { familyLabels, kindLabels, startedBy, workflowRunOf } from './run-labels.ts';
import css from './run-panel.module.css';

type RunPanelProps = {
  readonly id: string;
  /** The run; undefined when it is not in the data read. */
  readonly run: Run | undefined;
  /** True while the list is still being read. */
  readonly pending: boolean;
  readonly readAt: number;
  readonly onLog: () => void;
  /** Takes every filter off: a run outside the list may be found then. Undefined when there is none. */
  readonly onWiden: (() => void) | undefined;
  readonly onClose: () => void;
};

/** One run beside the list: its facts, its log, and the ways on from it. */
export function RunPanel({ id, run, pending, readAt, onLog, onWiden, onClose }: RunPanelProps) {
  const href = useHref();
  const hasLog = workflowRunOf(id) !== undefined;
  const log = hasLog && (
    <Button
      variant="filled"
      onClick={onLog}
      leftSection={<IconFileText size={14} stroke={2} aria-hidden />}
      rightSection={<KeyCaps keys="l" />}
    >
      Log
    </Button>
  );
  return (
    <Drawer name={run === undefined ? 'Run' : `Run ${run.name}`} onClose={onClose}>
      <DrawerHead
        what="run"
        title={run?.name ?? id}
        address={href(listAddress(runsPlan, { filter: {}, open: id }))}
        onClose={onClose}
      >
        {run !== undefined && <State {...runStates[run.state]} look="pill" />}
        {run !== undefined && <Tag>{familyLabels[run.family ?? 'other'] ?? kindLabels[run.kind]}</Tag>}
      </DrawerHead>
      {run === undefined ? (
        !pending && (
          <div className={css.part}>
            <FailurePanel
              state="idle"
              label="Not listed"
              title="This run is not one of those loaded"
              actions={
                <>
                  {log}
                  {onWiden !== undefined && <Button onClick={onWiden}>Clear all filters</Button>}
                </>
              }
            >
              <p>It may be older, in a repository that was not read, or excluded by the filter.</p>
            </FailurePanel>
          </div>
        )
      ) : (
        <>
          <div className={css.about}>
            {run.title !== undefined && <p className={css.title}>{run.title}</p>}
            {run.detail !== undefined && <p className={css.detail}>{run.detail}</p>}
            <div className={css.actions}>
              {log}
              {run.family === 'review' && run.run_id !== undefined && <Findings runId={run.run_id} />}
              {run.url !== undefined && (
                <Button
                  component="a"
                  href={run.url}
                  target="_blank"
                  rel="noreferrer"
                  leftSection={<IconExternalLink size={14} stroke={2} aria-hidden />}
                >
                  {hasLog ? 'Open on code host' : 'Open'}
                </Button>
              )}
            </div>
          </div>
          <Facts run={run} readAt={readAt} />
        </>
      )}
    </Drawer>
  );
}

function Findings({ runId }: { readonly runId: number }) {
  const [, go] = usePageAddress();
  const href = useHref();
  const to = { tab: 'reviews', run: String(runId) };
  return (
    <Button
      component="a"
      href={href(to)}
      onClick={(event) => {
        if (openedByPlainClick(event)) go(to);
      }}
      leftSection={<IconListCheck size={14} stroke={2} aria-hidden />}
    >
      Findings
    </Button>
  );
}

function Facts({ run, readAt }: { readonly run: Run; readonly readAt: number }) {
  const { repo, branch, sha, actor, pull_request: pull, attempt, started } = run;
  const by = startedBy(run);
  const pullUrl = pullRequestUrl(run);
  const at = Date.parse(started);
  return (
    <dl className={css.facts}>
      {repo !== undefined && (
        <>
          <dt>Repository</dt>
          <dd>{repo}</dd>
        </>
      )}
      {by !== '' && (
        <>
          <dt>Started by</dt>
          <dd>{pull !== undefined && pullUrl !== undefined ? <OutLink href={pullUrl}>{by}</OutLink> : by}</dd>
        </>
      )}
      {actor !== undefined && (
        <>
          <dt>Actor</dt>
          <dd>{actor}</dd>
        </>
      )}
      {branch !== undefined && (
        <>
          <dt>Branch</dt>
          <dd>
            <code>{branch}</code>
            <CopyIcon text={() => branch} label="Copy the branch" />
          </dd>
        </>
      )}
      {sha !== undefined && (
        <>
          <dt>Commit</dt>
          <dd className={css.commit}>
            <CommitId sha={sha} url={commitUrl(run)} />
            <Shipped sha={sha} repo={repo} />
          </dd>
        </>
      )}
      <dt>Started</dt>
      <dd>
        <TimeAgo at={at} />, <span className={css.exact}>{exactTime(at)}</span>
      </dd>
      {run.took_seconds !== undefined && (
        <>
          <dt>{isUnderWay(run.state) ? 'Runs for' : 'Took'}</dt>
          <dd>
            <RunTime state={run.state} tookSeconds={run.took_seconds} readAt={readAt} />
          </dd>
        </>
      )}
      {attempt !== undefined && attempt > 1 && (
        <>
          <dt>Attempt</dt>
          <dd>{attempt}</dd>
        </>
      )}
      <dt>Kind</dt>
      <dd>{kindLabels[run.kind]}</dd>
      <dt>Id</dt>
      <dd>
        <code>{run.id}</code>
        <CopyIcon text={() => run.id} label="Copy the id of the run" />
      </dd>
    </dl>
  );
}

function Shipped({ sha, repo }: { readonly sha: string; readonly repo: string | undefined }) {
  const [, go] = usePageAddress();
  const href = useHref();
  const to = { tab: 'lineage', sha, ...(repo !== undefined && { repo }) };
  return (
    <a
      href={href(to)}
      onClick={(event) => {
        if (openedByPlainClick(event)) go(to);
      }}
    >
      Did this ship?
    </a>
  );
}
