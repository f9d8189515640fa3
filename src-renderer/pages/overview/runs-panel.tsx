import type { Run } from '#shared/api/runs.ts';
import { counted } from '#shared/text.ts';
import { Glyph } from '../../components/glyph.tsx';
import { NotReadNote } from '../../components/not-read-note.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Panel } from '../../components/panel.tsx';
import { runStates } from '../../components/run-state.ts';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { Spoken } from '../../components/spoken.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { RunBars } from './run-bars.tsx';
import css from './side-panels.module.css';
import type { RecentRuns } from './use-recent-runs.ts';

/** Runs named below the bars; their page has all. */
const most = 4;

/** Shows the runs of the last 24 hours by hour, and the newest of them. */
export function RunsPanel({ runs }: { readonly runs: RecentRuns }) {
  const { data, error } = runs.query;
  const failed = data?.counts.failure ?? 0;
  const passed = data?.counts.success ?? 0;
  const reasons = data?.unmeasured ?? [];
  return (
    <Panel
      title="Runs, last 24 h"
      tools={
        data !== undefined &&
        data.items.length > 0 && (
          <span className={css.legend}>
            <i data-series="passed" />
            {passed.toLocaleString('en')} passed
            <i data-series="failed" />
            <em data-some={failed > 0}>{failed.toLocaleString('en')} failed</em>
          </span>
        )
      }
    >
      {data === undefined ? (
        error === null ? (
          <SkeletonRows rows={4} />
        ) : (
          <p className={css.none}>Runs were not read. {sentenceOf(error)}</p>
        )
      ) : (
        <>
          {data.items.length > 0 && <RunBars items={data.items} runs={runs} />}
          {reasons.length > 0 && (
            <p className={css.note}>
              <NotReadNote
                label={`${counted(reasons.length, 'source')} of runs not read`}
                reason={reasons.join(' ')}
              />
            </p>
          )}
          {data.next_cursor !== undefined && (
            <p className={css.note}>
              The newest {data.items.length.toLocaleString('en')} are counted hour by hour.
            </p>
          )}
          {data.items.length === 0 && (
            <p className={css.none}>
              {data.complete ? 'Nothing ran. No results; everything was checked.' : 'None in the data read.'}
            </p>
          )}
          <ul className={css.rows}>
            {data.items.slice(0, most).map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

function RunRow({ run: { id, name, repo, pull_request, state, started } }: { readonly run: Run }) {
  const about = [repo, pull_request === undefined ? undefined : `#${pull_request}`]
    .filter((part) => part !== undefined)
    .join(' ');
  return (
    <li>
      <span className={css.run}>
        <Glyph state={runStates[state].state} />
        <Spoken>{`${runStates[state].label}: `}</Spoken>
        <span className={css.name}>
          <PageLink to={{ tab: 'runs', run: id }}>{name}</PageLink>
        </span>
      </span>
      <span className={css.fact} title={about}>
        {about}
      </span>
      <span className={css.state}>
        <TimeAgo at={Date.parse(started)} fromNow />
      </span>
    </li>
  );
}
