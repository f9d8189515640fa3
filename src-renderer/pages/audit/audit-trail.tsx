import { Button } from '@mantine/core';
import { useCallback, useMemo, useRef } from 'react';
import type { AuditFilter } from '#shared/api/audit.ts';
import { pageHref } from '#shared/page-address.ts';
import { Banner } from '../../components/banner.tsx';
import { Coverage } from '../../components/coverage.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { Page } from '../../components/page/page.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { auditAddress, changed, filterOf, recordOf } from './audit-filter.ts';
import { formatNumber } from './audit-labels.ts';
import css from './audit-page.module.css';
import { ExportMenu } from './export-menu.tsx';
import { FilterBar } from './filter-bar.tsx';
import { RecordPanel } from './record-panel.tsx';
import { RecordsTable, type TableMoves } from './records-table.tsx';
import { useAuditCommands } from './use-audit-commands.ts';
import { type Records, useRecords } from './use-records.ts';
import { VerdictStrip } from './verdict-strip.tsx';

/** The chain: its verdict, its records under a filter, and one of them in full. All of it is in the address. */
export function AuditTrail() {
  const [address, go] = usePageAddress();
  const text = JSON.stringify(filterOf(address));
  // One object for one filter, however often the address is read: the list is asked for by it.
  const { filter, ignored } = useMemo((): ReturnType<typeof filterOf> => JSON.parse(text), [text]);
  const open = recordOf(address);
  const records = useRecords(filter);
  const table = useRef<TableMoves>(null);
  const input = useRef<HTMLInputElement>(null);

  const narrow = (next: AuditFilter, how: 'chosen' | 'typed') =>
    go(auditAddress(next, open), how === 'typed' ? 'replace' : 'push');
  const beside = open !== undefined;
  const show = useCallback(
    (seq: number) => go(auditAddress(filter, seq), beside ? 'replace' : 'push'),
    [go, filter, beside],
  );
  const move = useCallback(
    (step: 1 | -1) => {
      const item = table.current?.move(step);
      if (item !== undefined && beside) show(item.seq);
    },
    [show, beside],
  );
  const close = () => {
    go(auditAddress(filter));
    if (open !== undefined) table.current?.focus(open);
  };
  useAuditCommands({ records: records.items, input, move, show });

  return (
    <Page
      title="Audit"
      sub={headline(records)}
      flush
      above={<VerdictStrip verdict={records.verdict} onOpen={show} />}
      actions={
        <>
          <Coverage
            read={records.complete ? 1 : 0}
            total={1}
            label={records.complete ? 'All data loaded' : 'Partly read'}
            unmeasured={records.unmeasured}
          />
          <Button
            component="a"
            variant="subtle"
            href={pageHref({ tab: 'access' })}
            onClick={(event) => {
              if (openedByPlainClick(event)) go({ tab: 'access' });
            }}
          >
            Access lists
          </Button>
          <ExportMenu items={records.items} />
        </>
      }
    >
      <div className={css.trail}>
        <FilterBar inputRef={input} filter={filter} records={records} onChange={narrow} />
        <div className={css.split}>
          <div className={css.list}>
            <Notices records={records} ignored={ignored} />
            <List
              records={records}
              narrowed={Object.keys(filter).length > 0}
              onClear={() => narrow({}, 'chosen')}
              table={
                <RecordsTable
                  ref={table}
                  records={records}
                  filter={filter}
                  open={open}
                  brokenAt={records.verdict?.first_break?.seq}
                  onOpen={show}
                />
              }
            />
          </div>
          {open !== undefined && (
            <RecordPanel
              seq={open}
              filter={filter}
              onOpen={show}
              onClose={close}
              onNarrow={(change) => narrow(changed(filter, change), 'chosen')}
            />
          )}
        </div>
      </div>
    </Page>
  );
}

function headline({ verdict }: Records): string {
  if (verdict?.head_seq === undefined) return '';
  return verdict.head_seq === 1 ? '1 record' : `${formatNumber(verdict.head_seq)} records`;
}

/** What stands between the filter and the list: parts of the address or of the store that were passed over. */
function Notices({ records, ignored }: { readonly records: Records; readonly ignored: readonly string[] }) {
  return (
    <>
      {ignored.length > 0 && (
        <div className={css.notice}>
          <Banner look="note" icon={<Glyph state="idle" />} title="Part of the address was not understood.">
            <code>{ignored.join(', ')}</code> narrows nothing: the list below is wider than the link meant.
          </Banner>
        </div>
      )}
      {!records.complete && (
        <div className={css.notice}>
          <Banner look="unread" icon={<Glyph state="unknown" />} title="Partly read.">
            Not read: {records.unmeasured.join('; ')}.
          </Banner>
        </div>
      )}
      {records.notReadAgain !== null && (
        <div className={css.notice}>
          <Banner look="unread" icon={<Glyph state="unknown" />} title="Could not refresh.">
            {sentenceOf(records.notReadAgain)} The records below stay as they were read.
          </Banner>
        </div>
      )}
    </>
  );
}

type ListProps = {
  readonly records: Records;
  readonly narrowed: boolean;
  readonly onClear: () => void;
  readonly table: React.ReactNode;
};

/** The table, or why there is none. */
function List({ records, narrowed, onClear, table }: ListProps) {
  if (records.error !== null) {
    return (
      <div className={css.room}>
        <FailurePanel
          state="unknown"
          label="Not read"
          title="The audit trail was not read"
          raw={sentenceOf(records.error)}
          actions={
            <Button variant="filled" onClick={records.retry}>
              Try again
            </Button>
          }
        >
          <p>Nothing is known of its records right now. What was done is still being recorded.</p>
        </FailurePanel>
      </div>
    );
  }
  if (records.pending || records.items.length > 0) return table;
  return (
    <div className={css.room}>
      {narrowed ? (
        <FailurePanel
          state="idle"
          label="Empty"
          title="No record matches"
          actions={
            <Button variant="filled" onClick={onClear}>
              Take off every filter
            </Button>
          }
        >
          <p>No results; the whole chain was searched.</p>
        </FailurePanel>
      ) : (
        <FailurePanel state="idle" label="Empty" title="No records yet">
          <p>
            Privileged acts are recorded here: ending sessions, changing settings, keys and session admins,
            arming agents. None was done or refused so far. The store was read in full, so this is a real
            zero.
          </p>
        </FailurePanel>
      )}
    </div>
  );
}
