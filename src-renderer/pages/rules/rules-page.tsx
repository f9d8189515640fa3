import { useQuery } from '@tanstack/react-query';
import type { ReconciledRule, RuleState } from '#shared/api/rules-recon.ts';
import { ChoiceChip } from '../../components/choice-chip.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Board, Counted } from '../../components/judged/board.tsx';
import { JudgedRow, JudgedRows } from '../../components/judged/judged-row.tsx';
import { OutLink } from '../../components/out-link.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { SourceRead } from '../../components/source-read.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import type { StateName } from '../../core/state-name.ts';
import css from './rules-page.module.css';
import { type RulesAnswer, rulesQuery } from './rules-query.ts';

const everyMs = 30_000;

const states: Readonly<Record<RuleState, { readonly state: StateName; readonly label: string }>> = {
  broken: { state: 'failing', label: 'Broken' },
  undeclared: { state: 'degraded', label: 'Undeclared' },
  unmeasured: { state: 'unknown', label: 'Unmeasured' },
  holds: { state: 'healthy', label: 'Holds' },
};

/** Shows business rules as repositories declare them, against what was observed of them. */
export function RulesPage() {
  const [{ tenant: named }, go] = usePageAddress();
  const tenant = named === null || named === '' ? undefined : named;
  const { every } = useReading();
  const query = useQuery({ ...rulesQuery(tenant), refetchInterval: every(everyMs) });
  const { data } = query;
  return (
    <Page
      title="Rules"
      sub="Business rules as declared, against what was observed"
      actions={<ReadingCoverage reading={data} />}
      above={
        <ChoiceChip
          name="Tenant"
          everything="all"
          value={tenant}
          choices={data?.tenants ?? []}
          onChange={(next) => go({ tab: 'rules', ...(next !== undefined && { tenant: next }) })}
        />
      }
    >
      <SourceRead query={query} what="Business rules" board skeleton={<SkeletonRows rows={8} />}>
        {(answer) => (
          <Board>
            <ReadingNotices query={query} />
            {answer.errors.length > 0 && <Mistakes errors={answer.errors} />}
            {answer.items.length === 0 ? <NoRules /> : <Rules answer={answer} />}
          </Board>
        )}
      </SourceRead>
    </Page>
  );
}

function Rules({ answer: { items, states: counts, counted } }: { readonly answer: RulesAnswer }) {
  const sub = (['broken', 'undeclared', 'unmeasured', 'holds'] as const)
    .map((state) => `${counts[state]} ${states[state].label.toLowerCase()}`)
    .join(', ');
  return (
    <Panel title="Rules" sub={sub}>
      <JudgedRows label="Business rules">
        {items.map((rule) => (
          <JudgedRow
            key={`${rule.tenant} ${rule.id}`}
            {...states[rule.state]}
            title={rule.title}
            finding={rule.finding}
            evidence={rule.evidence}
            figure={<span className={css.tenant}>{rule.tenant}</span>}
          >
            <Condition rule={rule} />
          </JudgedRow>
        ))}
      </JudgedRows>
      <Counted>{counted}</Counted>
    </Panel>
  );
}

/** The condition with where it is declared, and the facts it was asked of. */
function Condition({ rule: { declared, observed, id } }: { readonly rule: ReconciledRule }) {
  return (
    <dl className={css.facts}>
      {declared !== undefined && (
        <>
          <dt>Declared</dt>
          <dd>
            <OutLink href={`${declared.url}#L${declared.line}`}>
              {declared.repo} {id}
            </OutLink>
          </dd>
          <dt>Condition</dt>
          <dd>
            <code>{declared.condition}</code>
          </dd>
        </>
      )}
      {observed !== undefined && (
        <>
          <dt>Observed</dt>
          <dd>
            <code>{factsText(observed.facts)}</code> <TimeAgo at={Date.parse(observed.at)} />
            {observed.run_id !== undefined && ` in run ${observed.run_id}`}
          </dd>
        </>
      )}
    </dl>
  );
}

function factsText(facts: NonNullable<ReconciledRule['observed']>['facts']): string {
  const all = Object.entries(facts).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return all.length === 0 ? 'no facts' : all.join(', ');
}

function Mistakes({ errors }: { readonly errors: RulesAnswer['errors'] }) {
  return (
    <Panel title="Mistakes in files" sub="What could be read is below">
      <ul className={css.mistakes}>
        {errors.map(({ repo, url, line, message }) => (
          <li key={`${url} ${line} ${message}`}>
            <OutLink href={`${url}#L${line}`}>
              {repo}, line {line}
            </OutLink>{' '}
            {message}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function NoRules() {
  return (
    <FailurePanel state="idle" label="Empty" title="No business rules">
      <p>
        Repositories declare them in <code>.platform/rules.yaml</code>. The reconciliation agent reads them at{' '}
        <code>/api/rules-recon/inputs</code> and reports what it observed.
      </p>
    </FailurePanel>
  );
}
