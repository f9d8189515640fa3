import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AuditDetail, AuditValue } from '#shared/api/handler.ts';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { Drawer } from '../../components/dialogs/drawer.tsx';
import { DrawerHead } from '../../components/dialogs/drawer-head.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { exactTime, utcTime } from '../../components/format-time.ts';
import { listAddress } from '../../components/list/list-address.ts';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { Spoken } from '../../components/spoken.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { CallFailed } from '../../core/call-route.ts';
import { sentenceOf } from '../../core/failure.ts';
import { useHref } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { auditPlan } from './audit-filter.ts';
import { outcomes } from './audit-labels.ts';
import { recordQuery } from './audit-queries.ts';
import { checkLabel, checkRecord, type FullRecord } from './record-check.ts';
import css from './record-panel.module.css';

type RecordPanelProps = {
  readonly seq: number;
  readonly addressOf: (key: string) => string;
  readonly onOpen: (seq: number) => void;
  readonly onClose: () => void;
  readonly onNarrow: (change: { actor?: string; action?: string }) => void;
};

/** One record in full, beside the list: what was done, its facts as written, and its place in the chain. */
export function RecordPanel({ seq, addressOf, onOpen, onClose, onNarrow }: RecordPanelProps) {
  const record = useQuery(recordQuery(seq));
  const href = useHref();
  const { data } = record;
  return (
    <Drawer name={`Record ${seq}`} onClose={onClose}>
      <DrawerHead
        what="record"
        title={data?.summary}
        address={href(listAddress(auditPlan, { filter: {}, open: String(seq) }))}
        onClose={onClose}
      >
        {data !== undefined && <State {...outcomes[data.outcome]} look="pill" />}
        <Tag>record {seq}</Tag>
      </DrawerHead>
      {record.isPending && <SkeletonRows rows={5} />}
      {record.error !== null && data === undefined && (
        <div className={css.part}>
          <NoRecord
            error={record.error}
            seq={seq}
            onRetry={() => record.refetch()}
            retrying={record.isFetching}
          />
        </div>
      )}
      {data !== undefined && (
        <>
          <Facts record={data} onNarrow={onNarrow} />
          <Written detail={data.detail} />
          <ChainPosition record={data} addressOf={addressOf} onOpen={onOpen} />
        </>
      )}
    </Drawer>
  );
}

type NoRecordProps = {
  readonly error: Error;
  readonly seq: number;
  readonly onRetry: () => void;
  readonly retrying: boolean;
};

function NoRecord({ error, seq, onRetry, retrying }: NoRecordProps) {
  const missing = error instanceof CallFailed && error.name === 'NotFound';
  return (
    <FailurePanel
      state={missing ? 'idle' : 'unknown'}
      label={missing ? 'Not found' : 'Not read'}
      title={missing ? `There is no record ${seq}` : `Record ${seq} was not read`}
      raw={missing ? undefined : sentenceOf(error)}
      actions={
        missing ? undefined : (
          <Button onClick={onRetry} loading={retrying}>
            Retry
          </Button>
        )
      }
    >
      <p>
        {missing
          ? 'Records are numbered without gaps. If a number within the chain is missing, its record was removed: Verify shows where.'
          : 'The list beside it is not affected.'}
      </p>
    </FailurePanel>
  );
}

type FactsProps = { readonly record: FullRecord; readonly onNarrow: RecordPanelProps['onNarrow'] };

function Facts({ record, onNarrow }: FactsProps) {
  const at = Date.parse(record.at);
  return (
    <dl className={css.facts}>
      <dt>Who</dt>
      <dd>
        {record.actor}
        <Narrow what={`records of ${record.actor}`} onClick={() => onNarrow({ actor: record.actor })} />
      </dd>
      <dt>Did what</dt>
      <dd>
        <code>{record.action}</code>
        <Narrow what={`records of ${record.action}`} onClick={() => onNarrow({ action: record.action })} />
      </dd>
      <dt>To what</dt>
      <dd>
        <code>{record.target}</code>
        <CopyIcon text={() => record.target} label="Copy the target" />
      </dd>
      <dt>When</dt>
      <dd>
        <time dateTime={record.at} title={exactTime(at)}>
          {utcTime(at, Date.now())} UTC
        </time>
        , <TimeAgo at={at} />
      </dd>
    </dl>
  );
}

function Narrow({ what, onClick }: { readonly what: string; readonly onClick: () => void }) {
  return (
    <Button className={css.narrow ?? ''} variant="subtle" size="xs" onClick={onClick}>
      only these
      <Spoken>{` ${what}`}</Spoken>
    </Button>
  );
}

function Written({ detail }: { readonly detail: AuditDetail }) {
  const text = JSON.stringify(detail, undefined, 2);
  return (
    <section className={css.part}>
      <h3 className={css.heading}>Detail, as written</h3>
      {Object.keys(detail).length === 0 ? (
        <p className={css.note}>No further detail was recorded.</p>
      ) : (
        <div className={css.json}>
          <pre>
            <Json value={detail} depth={0} />
          </pre>
          <span className={css.copy}>
            <CopyIcon text={() => text} label="Copy the detail" />
          </span>
        </div>
      )}
    </section>
  );
}

/** The facts as JSON, their names quieter than their values. */
function Json({ value, depth }: { readonly value: AuditValue; readonly depth: number }) {
  if (typeof value !== 'object') return JSON.stringify(value);
  const list = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return list ? '[]' : '{}';
  const inner = '  '.repeat(depth + 1);
  return (
    <>
      {list ? '[' : '{'}
      {entries.map(([name, item], index) => (
        <span key={name}>
          {`\n${inner}`}
          {!list && <span className={css.name}>{`${JSON.stringify(name)}: `}</span>}
          <Json value={item} depth={depth + 1} />
          {index < entries.length - 1 ? ',' : ''}
        </span>
      ))}
      {`\n${'  '.repeat(depth)}${list ? ']' : '}'}`}
    </>
  );
}

type ChainPositionProps = {
  readonly record: FullRecord;
  readonly addressOf: (key: string) => string;
  readonly onOpen: (seq: number) => void;
};

function ChainPosition({ record, addressOf, onOpen }: ChainPositionProps) {
  const check = useQuery({
    queryKey: ['audit', 'check', record.seq, record.hash],
    queryFn: () => checkRecord(record),
  });
  const failing = check.data?.kind === 'edited' || check.data?.kind === 'unlinked';
  return (
    <section className={css.part}>
      <h3 className={css.heading}>Place in the chain</h3>
      <ul className={css.chain} data-broken={failing}>
        {record.next === undefined ? (
          <li className={css.end}>No later record yet.</li>
        ) : (
          <Link {...record.next} addressOf={addressOf} onOpen={onOpen} />
        )}
        <li className={css.here} aria-current="true">
          <span className={css.bead} aria-hidden="true" />
          <span>{record.seq}</span>
          <Digest hash={record.hash} />
        </li>
        {record.previous === undefined ? (
          <li className={css.end}>
            {record.seq === 1 ? 'The first record of the chain.' : `Record ${record.seq - 1} is not there.`}
          </li>
        ) : (
          <Link {...record.previous} addressOf={addressOf} onOpen={onOpen} />
        )}
      </ul>
      {check.data !== undefined && (
        <p className={css.note} data-failing={failing}>
          {checkLabel(check.data, record)}
        </p>
      )}
    </section>
  );
}

type LinkProps = {
  readonly seq: number;
  readonly hash: string;
  readonly addressOf: (key: string) => string;
  readonly onOpen: (seq: number) => void;
};

function Link({ seq, hash, addressOf, onOpen }: LinkProps) {
  return (
    <li>
      <span className={css.bead} aria-hidden="true" />
      <a
        href={addressOf(String(seq))}
        aria-label={`Record ${seq}`}
        onClick={(event) => {
          if (openedByPlainClick(event)) onOpen(seq);
        }}
      >
        {seq}
      </a>
      <Digest hash={hash} />
    </li>
  );
}

function Digest({ hash }: { readonly hash: string }) {
  return (
    <>
      <code className={css.hash} title={hash}>
        {hash.slice(0, 16)}…{hash.slice(-8)}
      </code>
      <CopyIcon text={() => hash} label="Copy the hash" />
    </>
  );
}
