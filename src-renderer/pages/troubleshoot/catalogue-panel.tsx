import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { type Severity, type Symptom, severity as severityShape } from '#shared/api/symptoms.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { formatCount } from '../../components/format-quantity.ts';
import { Page } from '../../components/page/page.tsx';
import { SkeletonRows, Waiting } from '../../components/skeleton.tsx';
import { addressWith } from '../../core/address-with.ts';
import { useCommands } from '../../core/commands.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { movedIndex } from '../../core/keys.ts';
import { listCommands } from '../../core/list-commands.ts';
import { type Go, useHref, usePageAddress } from '../../core/page-address.ts';
import { areaGroups } from './catalogue-list.ts';
import { CatalogueRail, symptomLink } from './catalogue-rail.tsx';
import { SymptomReading } from './symptom-reading.tsx';
import css from './troubleshoot-page.module.css';

type CataloguePanelProps = {
  readonly tabs: ReactNode;
  readonly catalogue: {
    readonly data: readonly Symptom[] | undefined;
    readonly error: Error | null;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
};

/** Every symptom that is known, and one of them to read. */
export function CataloguePanel({ tabs, catalogue }: CataloguePanelProps) {
  const { data, error, isFetching, refetch } = catalogue;
  return (
    <Page
      title="Troubleshoot"
      sub={data === undefined ? 'catalogue' : `catalogue of ${formatCount(data.length, 'symptom')}`}
      flush
    >
      <div className={css.room}>
        {tabs}
        {data !== undefined ? (
          <CatalogueView symptoms={data} />
        ) : (
          <div className={css.alone}>
            {error === null ? (
              <div className={css.waiting}>
                <Waiting label="Reading the catalogue" />
                <SkeletonRows rows={10} />
              </div>
            ) : (
              <FailurePanel
                state="unknown"
                label="Not read"
                title="The catalogue was not read"
                raw={sentenceOf(error)}
                actions={
                  <Button variant="filled" onClick={() => refetch()} loading={isFetching}>
                    Retry
                  </Button>
                }
              >
                <p>The console did not return it. A diagnosis does not need this page.</p>
              </FailurePanel>
            )}
          </div>
        )}
      </div>
    </Page>
  );
}

function CatalogueView({ symptoms }: { readonly symptoms: readonly Symptom[] }) {
  const [address, go] = usePageAddress();
  const href = useHref();
  const view = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const { q, record } = address;
  const severity = severityShape.safeParse(address.severity).data;
  const groups = useMemo(
    () => areaGroups(symptoms, { q: q ?? undefined, severity }),
    [symptoms, q, severity],
  );
  const rows = useMemo(() => groups.flatMap((group) => group.symptoms), [groups]);
  const open = record === null ? rows[0] : symptoms.find(({ id }) => id === record);
  const openId = open?.id;
  const show = useCallback(
    (id: string, how: Parameters<Go>[1] = 'push') =>
      go(addressWith(address, { tab: 'troubleshoot', panel: 'catalogue', record: id }), how),
    [go, address],
  );
  const addressOf = (id: string) =>
    href(addressWith(address, { tab: 'troubleshoot', panel: 'catalogue', record: id }));
  const narrow = (change: { readonly q?: string | undefined; readonly severity?: Severity | undefined }) =>
    go(
      addressWith(address, { tab: 'troubleshoot', panel: 'catalogue', ...change, record: undefined }),
      'replace',
    );
  const move = useCallback(
    (step: 1 | -1) => {
      const next =
        rows[
          movedIndex(
            rows.findIndex(({ id }) => id === openId),
            step,
            rows.length,
          )
        ];
      if (next === undefined) return;
      symptomLink(view.current, next.id)?.focus({ preventScroll: true });
      show(next.id, 'replace');
    },
    [rows, openId, show],
  );
  useCommands(
    useMemo(
      () =>
        listCommands({
          filter: { title: 'Search the catalogue', focus: () => input.current?.focus() },
          move,
          of: 'symptom',
        }),
      [move],
    ),
  );
  useEffect(() => {
    if (openId !== undefined) symptomLink(view.current, openId)?.scrollIntoView({ block: 'nearest' });
  }, [openId]);
  return (
    <div ref={view} className={css.pair}>
      <CatalogueRail
        input={input}
        groups={groups}
        count={symptoms.length}
        q={q ?? ''}
        severity={severity}
        openId={openId}
        addressOf={addressOf}
        onOpen={show}
        onNarrow={narrow}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by key. */}
      <section key={openId} className={css.reading} tabIndex={0} aria-label="The open symptom">
        {open !== undefined ? (
          <SymptomReading symptom={open} all={symptoms} />
        ) : (
          <div className={css.none}>
            <FailurePanel
              state="idle"
              label={record === null ? 'Empty' : 'Not found'}
              title={record === null ? 'No symptom matches' : 'There is no such symptom'}
              actions={
                <Button variant="filled" onClick={() => narrow({ q: undefined, severity: undefined })}>
                  See the whole catalogue
                </Button>
              }
            >
              <p>
                {record === null ? (
                  `All ${symptoms.length} were searched: titles, causes, fixes and how they are detected.`
                ) : (
                  <>
                    The address asks for <code>{record}</code>. It may come from another version of the
                    console.
                  </>
                )}
              </p>
            </FailurePanel>
          </div>
        )}
      </section>
    </div>
  );
}
