import { asSentence } from '../../components/list/sentence.ts';
import { Panel } from '../../components/panel.tsx';
import { formatTook, runStates } from '../../components/run-state.ts';
import { State } from '../../components/state.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import css from './doctor-page.module.css';
import type { DoctorAnswer } from './doctor-query.ts';

/** The last runs of the doctor, newest first. */
export function DoctorRuns({ runs }: { readonly runs: DoctorAnswer['last_runs'] }) {
  return (
    <Panel title="Last runs" sub={runs.length === 0 ? undefined : `${runs.length}, newest first`}>
      {runs.length === 0 ? (
        <p className={css.quiet}>
          None. A CronJob keeps only its most recent Jobs; these may have been cleaned up.
        </p>
      ) : (
        <>
          <div className={css.beads} aria-hidden="true">
            {[...runs].reverse().map(({ name, state }) => (
              <i key={name} data-state={runStates[state].state} />
            ))}
          </div>
          <table className={css.table} aria-label="Last runs of the doctor">
            <thead>
              <tr>
                <th>Run</th>
                <th>Outcome</th>
                <th>Started</th>
                <th data-numbers="true">Took</th>
                <th>Output</th>
              </tr>
            </thead>
            <tbody>
              {runs.map(({ name, state, started, took_seconds, detail }) => (
                <tr key={name}>
                  <td>
                    <code>{name}</code>
                  </td>
                  <td>
                    <State {...runStates[state]} />
                  </td>
                  <td>
                    <TimeAgo at={Date.parse(started)} />
                  </td>
                  <td data-numbers="true">{took_seconds !== undefined && formatTook(took_seconds)}</td>
                  <td className={css.detail}>{detail !== undefined && asSentence(detail)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Panel>
  );
}
