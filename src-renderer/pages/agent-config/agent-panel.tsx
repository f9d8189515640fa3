import type { AgentConfig } from '#shared/api/code-host.ts';
import { counted } from '#shared/text.ts';
import { Marked } from '../../components/marked.tsx';
import { OutLink } from '../../components/out-link.tsx';
import { Panel } from '../../components/panel.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import type { StateName } from '../../core/state-name.ts';
import css from './agent-panel.module.css';
import { type Agent, type BiasRule, lineAddress } from './config-model.ts';

type AgentPanelProps = {
  readonly agent: Agent;
  readonly config: AgentConfig;
  /** True for the one the address names. */
  readonly named: boolean;
  readonly q: string;
};

/** One agent as its file sets it: what it is, its settings and its bias rules. */
export function AgentPanel({ agent, config, named, q }: AgentPanelProps) {
  const { name, family, enabled, description, model, schedule, workflow, settings, bias_rules, line } = agent;
  const facts = [
    ['Model', model],
    ['Schedule', schedule],
    ['Workflow', workflow],
  ] as const;
  return (
    <div className={css.agent} data-agent={name} data-named={named}>
      <Panel
        name={`Agent ${name}`}
        title={<Marked text={name} query={q} />}
        sub={
          <span className={css.sub}>
            <State
              {...(enabled ? { state: 'healthy', label: 'Enabled' } : { state: 'idle', label: 'Disabled' })}
            />
            {family !== undefined && (
              <Tag>
                <Marked text={family} query={q} />
              </Tag>
            )}
          </span>
        }
        tools={<OutLink href={lineAddress(config, line)}>line {line}</OutLink>}
      >
        {(description !== undefined || facts.some(([, value]) => value !== undefined)) && (
          <div className={css.facts}>
            {description !== undefined && (
              <p className={css.description}>
                <Marked text={description} query={q} />
              </p>
            )}
            <dl>
              {facts.map(
                ([label, value]) =>
                  value !== undefined && (
                    <div key={label}>
                      <dt>{label}</dt>
                      <dd>
                        <code>
                          <Marked text={value} query={q} />
                        </code>
                      </dd>
                    </div>
                  ),
              )}
            </dl>
          </div>
        )}
        {Object.keys(settings).length === 0 && bias_rules.length === 0 ? (
          <p className={css.bare}>No settings and no bias rules.</p>
        ) : (
          <div className={css.parts}>
            <Settings settings={settings} q={q} />
            <BiasRules rules={bias_rules} q={q} />
          </div>
        )}
      </Panel>
    </div>
  );
}

function Settings({ settings, q }: { readonly settings: Agent['settings']; readonly q: string }) {
  const entries = Object.entries(settings);
  return (
    <section className={css.part}>
      <h3 className={css.heading}>
        {entries.length === 0 ? 'No settings' : counted(entries.length, 'setting')}
      </h3>
      {entries.length > 0 && (
        <table className={css.table}>
          <tbody>
            {entries.map(([key, value]) => (
              <tr key={key}>
                <th scope="row">
                  <code>
                    <Marked text={key} query={q} />
                  </code>
                </th>
                <td>
                  <code>
                    <Marked text={value} query={q} />
                  </code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function BiasRules({ rules, q }: { readonly rules: readonly BiasRule[]; readonly q: string }) {
  return (
    <section className={css.part}>
      <h3 className={css.heading}>
        {rules.length === 0 ? 'No bias rules' : counted(rules.length, 'bias rule')}
      </h3>
      <ul className={css.rules}>
        {rules.map(({ id, rule, severity, applies_to }) => (
          <li key={id}>
            <div className={css.ruleHead}>
              <code>
                <Marked text={id} query={q} />
              </code>
              {severity !== undefined && <Severity label={severity} />}
              <span className={css.applies}>
                {applies_to.length === 0 ? (
                  'applies to everything'
                ) : (
                  <>
                    applies to <Marked text={applies_to.join(', ')} query={q} />
                  </>
                )}
              </span>
            </div>
            <p>
              <Marked text={rule} query={q} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Severities with a shape of their own; the file may say others. */
const severities: Readonly<Record<string, StateName>> = {
  critical: 'failing',
  error: 'failing',
  warning: 'degraded',
  note: 'idle',
  info: 'idle',
};

function Severity({ label }: { readonly label: string }) {
  const state = severities[label.toLowerCase()];
  return state === undefined ? <Tag>{label}</Tag> : <State state={state} label={label} />;
}
