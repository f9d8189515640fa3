import { Button } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import type { AuditItem } from '#shared/api/audit.ts';
import { Banner } from '../../components/banner.tsx';
import { Coverage } from '../../components/coverage.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { useList } from '../../components/list/use-list.ts';
import { useListAddress } from '../../components/list/use-list-address.ts';
import { Page } from '../../components/page/page.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import { TableEnd } from '../../components/table/table-end.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { IconHistory } from '../../core/icons/icons.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { useNow } from '../../core/use-now.ts';
import { auditPlan, recordNumber } from './audit-filter.ts';
import { formatNumber, recordsLabel } from './audit-labels.ts';
import css from './audit-page.module.css';
import { ExportMenu } from './export-menu.tsx';
import { FilterBar } from './filter-bar.tsx';
import { recordColumns } from './record-columns.tsx';
import { RecordPanel } from './record-panel.tsx';
import { type Records, useRecords } from './use-records.ts';
import { VerdictStrip } from './verdict-strip.tsx';

const keyOf = ({ seq }: AuditItem): string => String(seq);

const command = ({ seq, summary, actor, action }: AuditItem) => ({
  id: `record.${seq}`,
  title: summary,
  detail: `record ${seq}, ${action}, ${actor}`,
  icon: IconHistory,
});

/** The chain: its verdict, its records under a filter, and one of them in full. All of it is in the address. */
export function AuditTrail() {
  const [, go] = usePageAddress();
  const href = useHref();
  const address = useListAddress(auditPlan);
  const { filter, ignored, sort, show } = address;
  const open = recordNumber(address.open);
  const records = useRecords(filter);
  const { older, readOlder } = records;
  const brokenAt = records.verdict?.first_break?.seq;
  const now = useNow(60_000);
  const columns = useMemo(() => recordColumns(now, brokenAt), [now, brokenAt]);
  const list = useList({ address, rows: records.items, columns, keyOf, command });
  const onOpen = useCallback((seq: number) => show(String(seq)), [show]);

  return (
    <Page
      title="Audit"
      sub={headline(records)}
      flush
      above={<VerdictStrip verdict={records.verdict} onOpen={onOpen} />}
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
            href={href({ tab: 'access' })}
            onClick={(event) => {
              if (openedByPlainClick(event)) go({ tab: 'access' });
            }}
          >
            Access lists
          </Button>
          <ExportMenu items={list.rows} columns={columns} />
        </>
      }
    >
      <div className={css.trail}>
        <FilterBar inputRef={list.input} address={address} records={records} />
        <div className={css.split}>
          <div className={css.list}>
            <Notices records={records} ignored={ignored} />
            <List
              records={records}
              narrowed={address.narrowed}
              onClear={address.clear}
              table={
                <DataTable
                  ref={list.moves}
                  id="audit"
                  label="Audit records"
                  columns={columns}
                  rows={list.rows}
                  keyOf={keyOf}
                  sort={sort}
                  onSort={address.sortBy}
                  onMove={list.move}
                  open={address.open}
                  addressOf={address.addressOf}
                  onOpen={show}
                  mark={({ seq }) => (seq === brokenAt ? 'broken' : undefined)}
                  pending={records.pending}
                  outdated={records.outdated}
                  onNearEnd={older === 'more' && sort === undefined ? readOlder : undefined}
                  end={
                    !records.pending &&
                    records.items.length > 0 && (
                      <TableEnd
                        many="records"
                        older={older}
                        count={records.items.length}
                        sorted={sort !== undefined}
                        all={formatEnd(records)}
                        readOlder={readOlder}
                      />
                    )
                  }
                />
              }
            />
          </div>
          {open !== undefined && (
            <RecordPanel
              seq={open}
              addressOf={address.addressOf}
              onOpen={onOpen}
              onClose={list.close}
              onNarrow={(change) => address.narrow(change)}
            />
          )}
        </div>
      </div>
    </Page>
  );
}

function headline({ verdict }: Records): string {
  if (verdict?.head_seq === undefined) return '';
  return recordsLabel(verdict.head_seq);
}

/** Returns the text below the oldest record. */
function formatEnd({ items }: Records): string {
  return items.at(-1)?.seq === 1
    ? 'Record 1 is the first of the chain.'
    : `No older record matches. All ${formatNumber(items.length)} are shown.`;
}

/** Shows which parts of the address or of the store were ignored, between the filter and the list. */
function Notices({ records, ignored }: { readonly records: Records; readonly ignored: readonly string[] }) {
  return (
    <>
      {ignored.length > 0 && (
        <div className={css.notice}>
          <Banner look="note" icon={<Glyph state="idle" />} title="Part of the address was not understood.">
            <code>{ignored.join(', ')}</code> was ignored, so the list below may be longer than the link
            intended.
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
            {sentenceOf(records.notReadAgain)} Showing the last data read.
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
              Retry
            </Button>
          }
        >
          <p>Actions are still being recorded.</p>
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
              Clear all filters
            </Button>
          }
        >
          <p>No results; everything was checked.</p>
        </FailurePanel>
      ) : (
        <FailurePanel state="idle" label="Empty" title="No records yet">
          <p>
            Privileged actions are recorded here: ending sessions, changing settings, keys and session admins,
            arming agents. None so far; everything was checked.
          </p>
        </FailurePanel>
      )}
    </div>
  );
}
