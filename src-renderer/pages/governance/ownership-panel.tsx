import { counted } from '#shared/text.ts';
import { Fact, Facts } from '../../components/facts.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Panel } from '../../components/panel.tsx';
import { State } from '../../components/state.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import css from './governance-page.module.css';
import type { GovernanceAnswer } from './governance-query.ts';

/** Namespaces without an owner that are named; the rest is counted. */
const mostNamed = 12;

/** Shows how many namespaces name a tenant, and where the credentials of connections are kept. */
export function OwnershipPanel({
  answer: { ownership, credentials },
}: {
  readonly answer: GovernanceAnswer;
}) {
  return (
    <div className={css.pair}>
      <Panel title="Ownership" sub="Namespaces with the label platform.dev/tenant">
        <Facts>
          <Fact name="Owned">
            {ownership.owned} of {counted(ownership.namespaces, 'namespace')}
          </Fact>
          <Fact name="No owner">
            {ownership.unowned.length === 0 ? (
              <State state="healthy" label="None" />
            ) : (
              <Unowned names={ownership.unowned} />
            )}
          </Fact>
        </Facts>
      </Panel>
      <Panel title="Credentials of connections" sub={counted(credentials.connections, 'connection')}>
        <Facts>
          <Fact name="In the keychain">{credentials.kept_in_keychain}</Fact>
          <Fact name="Sealed in the store">{credentials.kept_sealed}</Fact>
          <Fact name="Missing">
            {credentials.incomplete.length === 0 ? (
              <State state="healthy" label="None" />
            ) : (
              <ul className={css.names}>
                {credentials.incomplete.map(({ connection, tenant, missing }) => (
                  <li key={`${tenant}/${connection}`}>
                    {connection} of {tenant}: {missing.join(', ')}
                  </li>
                ))}
              </ul>
            )}
          </Fact>
        </Facts>
      </Panel>
    </div>
  );
}

function Unowned({ names }: { readonly names: readonly string[] }) {
  const target = useClusterTarget();
  const more = names.length - mostNamed;
  return (
    <ul className={css.names}>
      {names.slice(0, mostNamed).map((name) => (
        <li key={name}>
          <PageLink to={{ tab: 'namespaces', record: name, ...(target !== undefined && { target }) }}>
            {name}
          </PageLink>
        </li>
      ))}
      {more > 0 && <li>and {more} more</li>}
    </ul>
  );
}
