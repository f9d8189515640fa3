import type { ModelCard } from '#shared/api/fleet.ts';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { formatNumber, formatShare } from '../../components/format-quantity.ts';
import { NotReadNote } from '../../components/not-read-note.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { ShareBar } from '../../components/share-bar.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import css from './card-reading.module.css';

/** One model card: what the model is, what for, where it stops, where it runs, and who uses it. */
export function CardReading({ card }: { readonly card: ModelCard }) {
  const { name, summary, family, licence, parameters_billion, context_length, uses, limits } = card;
  return (
    <>
      {summary !== undefined && <p className={css.summary}>{summary}</p>}
      <Facts>
        <Fact name="Name">
          <code>{name}</code>
        </Fact>
        {family !== undefined && <Fact name="Family">{family}</Fact>}
        {licence !== undefined && <Fact name="Licence">{licence}</Fact>}
        {parameters_billion !== undefined && (
          <Fact name="Parameters">{formatNumber(parameters_billion)} billion</Fact>
        )}
        {context_length !== undefined && <Fact name="Context">{formatNumber(context_length)} tokens</Fact>}
      </Facts>
      <div className={css.pair}>
        <Texts title="For" items={uses} none="The card states no use." />
        <Texts title="Limits" items={limits} none="The card states no limit." />
      </div>
      <Live card={card} />
      <Use card={card} />
    </>
  );
}

type TextsProps = { readonly title: string; readonly items: readonly string[]; readonly none: string };

function Texts({ title, items: label, none }: TextsProps) {
  return (
    <Part title={title}>
      {label.length === 0 ? (
        <p className={css.quiet}>{none}</p>
      ) : (
        <ul className={css.words}>
          {label.map((label) => (
            <li key={label}>{label}</li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function Live({ card: { live } }: { readonly card: ModelCard }) {
  const target = useClusterTarget();
  return (
    <Part title="Runs now">
      {live === undefined && (
        <NotReadNote label="Tiers not read" reason="The workloads of the cluster were not read." />
      )}
      {live?.length === 0 && <p className={css.quiet}>No tier runs it.</p>}
      {live !== undefined && live.length > 0 && (
        <table className={css.table} aria-label="Where it runs now">
          <thead>
            <tr>
              <th>Tier</th>
              <th>Workload</th>
              <th>Namespace</th>
              <th data-numbers="true">Ready</th>
            </tr>
          </thead>
          <tbody>
            {live.map(({ tier, workload, namespace, replicas_ready, replicas_desired }) => (
              <tr key={`${namespace}/${workload}`}>
                <td>{tier}</td>
                <td>
                  <PageLink
                    to={{
                      tab: 'inference',
                      q: workload,
                      namespace,
                      ...(target !== undefined && { target }),
                    }}
                  >
                    {workload}
                  </PageLink>
                </td>
                <td>{namespace}</td>
                <td data-numbers="true">
                  {replicas_ready}/{replicas_desired}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Part>
  );
}

function Use({ card: { tokens, tokens_on, tenant_units, catalogue } }: { readonly card: ModelCard }) {
  if (catalogue) return null;
  const all = tenant_units?.reduce((sum, { units }) => sum + units, 0) ?? 0;
  return (
    <Part title="Use" sub={tokens === undefined ? undefined : 'since the engines started'}>
      {tokens === undefined ? (
        tokens_on === undefined ? (
          <NotReadNote label="Token use not read" reason="The metrics of its engines were not read." />
        ) : (
          <p className={css.quiet}>Counted on the card {tokens_on}, which describes the same workload.</p>
        )
      ) : (
        <Facts>
          <Fact name="Read">{formatNumber(tokens.prompt)} tokens</Fact>
          <Fact name="Written">{formatNumber(tokens.generated)} tokens</Fact>
        </Facts>
      )}
      {tenant_units !== undefined && tenant_units.length > 0 && (
        <table className={css.table} aria-label="Compute units by tenant">
          <thead>
            <tr>
              <th>Tenant</th>
              <th className={css.bar}>Share</th>
              <th data-numbers="true">Compute units</th>
            </tr>
          </thead>
          <tbody>
            {[...tenant_units]
              .sort((a, b) => b.units - a.units)
              .map(({ tenant, units }) => (
                <tr key={tenant}>
                  <td>{tenant}</td>
                  <td>
                    <span className={css.share}>
                      <ShareBar share={all === 0 ? 0 : units / all} />
                      {all > 0 && formatShare(units / all)}
                    </span>
                  </td>
                  <td data-numbers="true">{formatNumber(units)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
      {tokens !== undefined && tenant_units === undefined && (
        <p className={css.quiet}>The metrics of its engines do not distinguish tenants.</p>
      )}
    </Part>
  );
}
