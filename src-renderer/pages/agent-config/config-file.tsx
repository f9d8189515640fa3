import { useEffect, useRef } from 'react';
import type { AgentConfig } from '#shared/api/code-host.ts';
import { counted } from '#shared/text.ts';
import { CommitId } from '../../components/commit-id.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { OutLink } from '../../components/out-link.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { AgentPanel } from './agent-panel.tsx';
import css from './config-file.module.css';
import { type ConfiguredRepo, lineAddress } from './config-model.ts';

type ConfigFileProps = {
  readonly shown: ConfiguredRepo;
  /** The agent the address names. */
  readonly agent: string | undefined;
  readonly q: string;
};

/** One repository's file: where it was read, what is wrong with it, and its agents. */
export function ConfigFile({ shown: { config, agents }, agent, q }: ConfigFileProps) {
  const { repo, path, url, commit, errors } = config;
  const rules = config.agents.reduce((sum, { bias_rules }) => sum + bias_rules.length, 0);
  const page = useRef<HTMLElement>(null);
  useEffect(() => {
    const named =
      agent === undefined ? undefined : page.current?.querySelector(`[data-agent="${CSS.escape(agent)}"]`);
    if (named === undefined) page.current?.scrollTo({ top: 0 });
    else named?.scrollIntoView({ block: 'start' });
  }, [agent]);
  return (
    <section ref={page} className={css.page} aria-label={`Agents of ${repo}`}>
      <header className={css.head}>
        <h2 className={css.title}>{repo}</h2>
        <span className={css.counts}>
          {counted(config.agents.length, 'agent')}, {counted(rules, 'bias rule')}
        </span>
        <span className={css.read}>
          <OutLink href={url}>
            <code>{path}</code>
          </OutLink>
          {commit !== undefined && (
            <>
              read at <CommitId sha={commit} />
            </>
          )}
        </span>
      </header>
      {errors.length > 0 && <Mistakes config={config} />}
      {config.agents.length === 0 && (
        <div className={css.none}>
          <FailurePanel state="idle" label="Empty" title="The file names no agent">
            <p>
              {errors.length > 0
                ? 'No agent could be read from it; see the errors above.'
                : 'No results; everything was checked.'}
            </p>
          </FailurePanel>
        </div>
      )}
      {config.agents.length > 0 && agents.length === 0 && (
        <p className={css.none}>No agent of {repo} matches the search.</p>
      )}
      {agents.map((one) => (
        <AgentPanel
          key={`${one.name} ${one.line}`}
          agent={one}
          config={config}
          named={one.name === agent}
          q={q}
        />
      ))}
      {agents.length > 0 && agents.length < config.agents.length && (
        <p className={css.rest}>
          {counted(config.agents.length - agents.length, 'other agent')} of {repo} not shown: no match.
        </p>
      )}
    </section>
  );
}

function Mistakes({ config }: { readonly config: AgentConfig }) {
  return (
    <section className={css.mistakes} aria-label="Mistakes in the file">
      <h3>
        <Glyph state="degraded" />
        {counted(config.errors.length, 'mistake')} in the file. The rest is shown below.
      </h3>
      <table>
        <tbody>
          {config.errors.map(({ line, column, message }) => (
            <tr key={`${line} ${column} ${message}`}>
              <th scope="row">
                <OutLink href={lineAddress(config, line)}>
                  line {line}
                  {column !== undefined && `, column ${column}`}
                </OutLink>
              </th>
              <td>
                <WithCode>{message}</WithCode>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
