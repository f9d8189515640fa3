import { type Ref, useImperativeHandle, useRef } from 'react';
import { counted } from '#shared/text.ts';
import { Glyph } from '../../components/glyph.tsx';
import { useOneStop } from '../../components/list/use-one-stop.ts';
import { Marked } from '../../components/marked.tsx';
import { movedIndex } from '../../core/keys.ts';
import { useHref } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { configAddress } from './config-address.ts';
import css from './config-list.module.css';
import { type ConfigModel, type ConfigRow, configRows } from './config-model.ts';

/** Moves in the list from outside it. */
export type ConfigMoves = {
  /** Moves the focus by a row and tells the row it came to. */
  move(step: 1 | -1): ConfigRow | undefined;
};

type ConfigListProps = {
  readonly ref: Ref<ConfigMoves>;
  readonly model: ConfigModel;
  readonly open: ConfigRow | undefined;
  readonly q: string;
  readonly onOpen: (row: ConfigRow) => void;
};

/** Repositories with their agents and mistakes; below them, in a line each, those that have nothing to show. */
export function ConfigList({ ref, model, open, q, onOpen }: ConfigListProps) {
  const list = useRef<HTMLUListElement>(null);
  useOneStop(list);
  useImperativeHandle(ref, () => ({
    move(step) {
      const rows = configRows(model.repos, open?.repo);
      const at = rows.findIndex((row) => row.repo === open?.repo && row.agent === open.agent);
      const to = rows[movedIndex(at, step, rows.length)];
      if (to !== undefined) {
        // The row of an agent is there; a repository's always is.
        const selector = `a[data-repo="${CSS.escape(to.repo)}"][data-agent="${CSS.escape(to.agent ?? '')}"]`;
        list.current?.querySelector<HTMLElement>(selector)?.focus();
      }
      return to;
    },
  }));
  const href = useHref();
  const link = (row: ConfigRow) => ({
    href: href(configAddress(row, q)),
    'data-repo': row.repo,
    'data-agent': row.agent ?? '',
    onClick: (event: React.MouseEvent) => {
      if (openedByPlainClick(event)) onOpen(row);
    },
  });
  return (
    <nav className={css.list} aria-label="Repositories and agents">
      <ul ref={list}>
        {model.repos.map(({ config: { repo, errors, agents: all }, agents }) => {
          const here = repo === open?.repo;
          return (
            <li key={repo}>
              <a
                {...link({ repo })}
                className={css.repo}
                data-open={here && open.agent === undefined}
                aria-current={here && open.agent === undefined ? 'true' : undefined}
              >
                <Glyph state={errors.length > 0 ? 'degraded' : all.length > 0 ? 'healthy' : 'idle'} />
                <span className={css.name}>
                  <Marked text={repo} query={q} />
                </span>
                <span className={css.facts}>
                  {q === ''
                    ? counted(all.length, 'agent')
                    : `${agents.length} of ${counted(all.length, 'agent')}`}
                  {errors.length > 0 && <b className={css.errors}>{counted(errors.length, 'error')}</b>}
                </span>
              </a>
              {here && (
                <ul>
                  {agents.map((agent) => (
                    <li key={`${agent.name} ${agent.line}`}>
                      <a
                        {...link({ repo, agent: agent.name })}
                        className={css.agent}
                        data-open={agent.name === open.agent}
                        data-off={!agent.enabled}
                        aria-current={agent.name === open.agent ? 'true' : undefined}
                      >
                        <Marked text={agent.name} query={q} />
                        {!agent.enabled && <span className={css.off}>disabled</span>}
                      </a>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
      {model.unread.length > 0 && (
        <p className={css.foot} data-unread="true">
          <Glyph state="unknown" />
          <span>Not read: {model.unread.join(', ')}</span>
        </p>
      )}
      {model.without.length > 0 && (
        <p className={css.foot}>
          Without <code>.platform/agents.yaml</code>: {model.without.join(', ')}
        </p>
      )}
    </nav>
  );
}
