import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { devexDay } from '#shared/api/delivery.ts';
import { ChoiceChip } from '../../components/choice-chip.tsx';
import { Page } from '../../components/page/page.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { Waiting } from '../../components/skeleton.tsx';
import { SourceRead } from '../../components/source-read.tsx';
import { ExportRows } from '../../components/table/export-rows.tsx';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import { DaysTable } from './days-table.tsx';
import { type DevexView, devexAddress, devexViewOf } from './devex-address.ts';
import css from './devex-page.module.css';
import { type DevexAnswer, devexQuery, usualWindow, windows } from './devex-queries.ts';
import { DevexSkeleton } from './devex-skeleton.tsx';
import { EmptySeries } from './empty-series.tsx';
import { IndicatorCards } from './indicator-cards.tsx';
import { saidByCard } from './indicator-labels.ts';
import { useDevexCommands } from './use-devex-commands.ts';
import { windowDays } from './window-days.ts';

// The charts' library is as large as the rest of the page; the indicators do not wait for it.
const DevexCharts = lazy(async () => ({ default: (await import('./devex-charts.tsx')).DevexCharts }));

/** Refresh interval of the indicators while the page is visible, in milliseconds. */
const everyMs = 60_000;

/** Delivery indicators over a window, each with its sample, and the window day by day. */
export function DevexPage() {
  const [address, go] = usePageAddress();
  const { every } = useReading();
  const shown = devexViewOf(address);
  const { days, repo, view } = shown;
  const query = useQuery({ ...devexQuery(days, repo), refetchInterval: every(everyMs) });
  const show = (change: Partial<DevexView>) => go(devexAddress({ ...shown, ...change }));
  useDevexCommands({ days, repo, view, go });

  return (
    <Page
      title="DevEx"
      sub={`The last ${days} days${repo === undefined ? ', all repositories' : `, ${repo}`}`}
      actions={
        <>
          <ReadingCoverage reading={query.data} />
          {query.data !== undefined && query.data.days.length > 0 && (
            <ExportRows
              name={`devex-${days}-days`}
              label={`The ${query.data.days.length} days of the series; JSON with the indicators`}
              fields={devexDay.keyof().options}
              rows={query.data.days}
              json={query.data}
            />
          )}
        </>
      }
    >
      <SourceRead query={query} what="Indicators" board skeleton={<DevexSkeleton />}>
        {(answer) => (
          <div className={css.board} data-outdated={query.isPlaceholderData}>
            <div className={css.bar}>
              <SegmentedControl
                aria-label="Window"
                data={windows.map((value) => ({ value, label: `${value} days` }))}
                value={days}
                onChange={(value) => show({ days: windows.find((known) => known === value) ?? usualWindow })}
              />
              <ChoiceChip
                name="Repository"
                everything="all"
                value={repo}
                choices={answer.repos}
                onChange={(value) => show({ repo: value })}
              />
              <span className={css.view}>
                <SegmentedControl
                  aria-label="Day by day as"
                  data={[
                    { value: 'charts', label: 'Charts' },
                    { value: 'table', label: 'Table' },
                  ]}
                  value={view}
                  onChange={(value) => show({ view: value === 'table' ? 'table' : 'charts' })}
                />
              </span>
            </div>
            <ReadingNotices query={query} saidElsewhere={saidByCard} />
            <Content answer={answer} view={view} />
          </div>
        )}
      </SourceRead>
    </Page>
  );
}

function Content({ answer, view }: { readonly answer: DevexAnswer; readonly view: DevexView['view'] }) {
  if (answer.days.length === 0) return <EmptySeries />;
  const days = windowDays(answer);
  return (
    <>
      <IndicatorCards answer={answer} />
      {view === 'table' ? (
        <DaysTable days={days} />
      ) : (
        <Suspense fallback={<Waiting label="Loading the charts" />}>
          <DevexCharts days={days} />
        </Suspense>
      )}
    </>
  );
}
