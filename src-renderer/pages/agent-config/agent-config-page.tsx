import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import type { AgentConfig } from '#shared/api/code-host.ts';
import { repositoryName } from '#shared/api/reading.ts';
import { counted } from '#shared/text.ts';
import { Page } from '../../components/page/page.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { RepoChip } from '../../components/repo-chip.tsx';
import { SkeletonRows, Waiting } from '../../components/skeleton.tsx';
import { SourceRead } from '../../components/source-read.tsx';
import { ExportRows } from '../../components/table/export-rows.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import css from './agent-config-page.module.css';
import { configAddress } from './config-address.ts';
import { ConfigFile } from './config-file.tsx';
import { ConfigList, type ConfigMoves } from './config-list.tsx';
import { type ConfigRow, configModel } from './config-model.ts';
import { agentConfigOfQuery, agentConfigQuery } from './config-queries.ts';
import { NoConfig } from './no-config.tsx';
import { useConfigCommands } from './use-config-commands.ts';

/** Refresh interval of the files while the page is visible, in milliseconds. */
const everyMs = 120_000;

const none: readonly AgentConfig[] = [];

/** Every repository's agents as `.platform/agents.yaml` at its HEAD says them: settings, bias rules, mistakes by line. */
export function AgentConfigPage() {
  const [address, go] = usePageAddress();
  const { every } = useReading();
  const query = useQuery({ ...agentConfigQuery, refetchInterval: every(everyMs) });
  const everything = query.data?.items ?? none;
  const other = query.data !== undefined && !everything.some(({ repo }) => repo === address.repo);
  const named = repositoryName.safeParse(address.repo).data;
  const one = useQuery({ ...agentConfigOfQuery(named ?? ''), enabled: other && named !== undefined });
  const requested = other ? one.data?.items : undefined;
  const items = useMemo(() => [...everything, ...(requested ?? none)], [everything, requested]);
  const q = address.q ?? '';
  const model = useMemo(() => configModel(items, q), [items, q]);
  const wanted = model.repos.find(({ config }) => config.repo === address.repo);
  const shown = wanted ?? (address.repo === null || q !== '' ? model.repos[0] : undefined);
  const agent = wanted === undefined ? undefined : (address.agent ?? undefined);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<ConfigMoves>(null);

  const show = useCallback((row: ConfigRow) => go(configAddress(row, q), 'replace'), [go, q]);
  const move = useCallback(
    (step: 1 | -1) => {
      const row = list.current?.move(step);
      if (row !== undefined) show(row);
    },
    [show],
  );
  useConfigCommands({ items, input, move, show });
  const open: ConfigRow | undefined = shown && {
    repo: shown.config.repo,
    ...(agent !== undefined && { agent }),
  };
  const agents = items.reduce((sum, item) => sum + item.agents.length, 0);

  return (
    <Page
      title="Agent config"
      sub={
        agents === 0
          ? ''
          : `${counted(agents, 'agent')} in ${model.repos.length} of ${items.length} repositories`
      }
      flush
      actions={
        <>
          <ReadingCoverage reading={query.data} />
          {agents > 0 && <Export items={items} />}
        </>
      }
    >
      <SourceRead query={query} what="Agent settings" skeleton={<SkeletonRows rows={8} />}>
        {() =>
          items.some(({ file }) => file === 'read') ? (
            <div className={css.room}>
              <div className={css.side}>
                <search className={css.search}>
                  <TextFilter
                    ref={input}
                    label="Search rules and settings"
                    value={q}
                    onChange={(text) => go(configAddress(open, text), 'replace')}
                  />
                </search>
                <div className={css.choose}>
                  <RepoChip
                    value={address.repo ?? undefined}
                    known={model.repos.map(({ config }) => config.repo)}
                    onChange={(repo) => go(configAddress(repo === undefined ? undefined : { repo }, q))}
                  />
                </div>
                <ConfigList ref={list} model={model} open={open} q={q} onOpen={show} />
              </div>
              <div className={css.reading}>
                <div className={css.notices}>
                  <ReadingNotices query={query} />
                </div>
                {shown === undefined && one.isFetching ? (
                  <div className={css.none}>
                    <Waiting label={`Reading the agents of ${named}`} />
                  </div>
                ) : shown === undefined ? (
                  <NoConfig
                    repo={address.repo}
                    q={q}
                    model={model}
                    onClear={() => go(configAddress(undefined, ''))}
                  />
                ) : (
                  <ConfigFile key={shown.config.repo} shown={shown} agent={agent} q={q} />
                )}
              </div>
            </div>
          ) : (
            <div className={css.reading}>
              <div className={css.notices}>
                <ReadingNotices query={query} />
              </div>
              <NoConfig repo={null} q="" model={model} onClear={() => go(configAddress(undefined, ''))} />
            </div>
          )
        }
      </SourceRead>
    </Page>
  );
}

const columns = [
  'repo',
  'commit',
  'line',
  'name',
  'family',
  'enabled',
  'model',
  'schedule',
  'workflow',
  'settings',
  'bias_rules',
] as const;

function Export({ items }: { readonly items: readonly AgentConfig[] }) {
  const rows = items.flatMap(({ repo, commit, agents }) =>
    agents.map(({ settings, bias_rules, ...agent }) => ({
      ...agent,
      repo,
      commit,
      settings: JSON.stringify(settings),
      bias_rules: bias_rules.map(({ id, rule }) => `${id}: ${rule}`).join('; '),
    })),
  );
  return (
    <ExportRows
      name="agent-config"
      label={`${counted(rows.length, 'agent')} of every repository`}
      fields={columns}
      rows={rows}
      json={items}
    />
  );
}
