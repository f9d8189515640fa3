import type { ReactNode } from 'react';
import type { Evidence } from '#shared/api/intelligence.ts';
import type { PageAddress } from '#shared/page-address.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import type { StateName } from '../../core/state-name.ts';
import type { TabName } from '../../core/tabs.ts';
import { PageLink } from '../page-link.tsx';
import { State } from '../state.tsx';
import { WithCode } from '../with-code.tsx';
import css from './judged-row.module.css';

type JudgedRowProps = {
  readonly state: StateName;
  /** The outcome in a word. */
  readonly label: string;
  readonly title: ReactNode;
  /** Reason for the outcome. */
  readonly finding: string;
  /** Next step, one sentence. */
  readonly next?: string | undefined;
  /** The figure, at the right. */
  readonly figure?: ReactNode;
  /** What was counted, and how. */
  readonly counted?: string | undefined;
  readonly evidence: readonly Evidence[];
  /** What else is told or can be done, below. */
  readonly children?: ReactNode;
};

/** One thing that was judged: its outcome, why, what to do, and by what it is known. */
export function JudgedRow(props: JudgedRowProps) {
  const { state, label, title, finding, next, figure, counted, evidence, children } = props;
  return (
    <li className={css.row}>
      <div className={css.state}>
        <State state={state} label={label} />
      </div>
      <div className={css.words}>
        <h3 className={css.title}>{title}</h3>
        <p>
          <WithCode>{finding}</WithCode>
        </p>
        {next !== undefined && next !== '' && (
          <p className={css.next}>
            <b>Next step:</b> <WithCode>{next}</WithCode>
          </p>
        )}
        <dl className={css.basis}>
          {counted !== undefined && (
            <>
              <dt>Counted</dt>
              <dd>{counted}</dd>
            </>
          )}
          <dt>Evidence</dt>
          <dd>
            {evidence.length === 0 ? 'None: it is not measured.' : <EvidenceList evidence={evidence} />}
          </dd>
        </dl>
        {children}
      </div>
      {figure !== undefined && <div className={css.figure}>{figure}</div>}
    </li>
  );
}

/** Rows of a panel. */
export function JudgedRows({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={css.rows} aria-label={label}>
      {children}
    </ul>
  );
}

/** Pages on which the answer of a route is shown. */
const pageOf: Readonly<Record<string, TabName>> = {
  '/api/access': 'access',
  '/api/agents': 'agents',
  '/api/audit': 'audit',
  '/api/devex': 'devex',
  '/api/governance': 'governance',
  '/api/runs': 'runs',
  '/api/settings': 'settings',
};

function EvidenceList({ evidence }: { readonly evidence: readonly Evidence[] }) {
  return (
    <ul className={css.evidence}>
      {evidence.map(({ source, fact }) => (
        <li key={`${source} ${fact}`}>
          <Source name={source} /> <span>{fact}</span>
        </li>
      ))}
    </ul>
  );
}

function Source({ name }: { readonly name: string }) {
  const target = useClusterTarget();
  const tab = pageOf[name];
  if (tab === undefined) return <code>{name}</code>;
  const to: PageAddress = { tab, ...(target !== undefined && { target }) };
  return (
    <PageLink to={to}>
      <code>{name}</code>
    </PageLink>
  );
}
