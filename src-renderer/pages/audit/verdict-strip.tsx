import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { AuditVerdict } from '#shared/api/audit.ts';
import { CommandBlock } from '../../components/command-block.tsx';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { KeyCaps } from '../../components/key-caps.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { Bone } from '../../components/skeleton.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { anyLayerOpen } from '../../core/any-layer-open.ts';
import {
  startVerification,
  stopVerification,
  verificationQuery,
  walkProgressQuery,
} from '../../core/audit-verification.ts';
import { sentenceOf } from '../../core/failure.ts';
import type { StateName } from '../../core/state-name.ts';
import {
  formatNumber,
  formatPace,
  headLabel,
  recordsLabel,
  shortHash,
  stoppedMessage,
  verdictLabel,
} from './audit-labels.ts';
import css from './verdict-strip.module.css';

type VerdictStripProps = {
  /** Undefined until it is read. */
  readonly verdict: AuditVerdict | undefined;
  readonly onOpen: (seq: number) => void;
};

/** Shows whether the chain is intact, how that is known, and the walk that proves it. */
export function VerdictStrip({ verdict, onOpen }: VerdictStripProps) {
  const client = useQueryClient();
  const walk = useQuery(verificationQuery);
  const { data: progress } = useQuery(walkProgressQuery);
  if (walk.isFetching) return <Walking checked={progress?.checked ?? 0} progress={progress} />;
  if (verdict === undefined) {
    return (
      <Strip state={undefined}>
        <Bone width={260} />
      </Strip>
    );
  }
  const message = verdictLabel(
    verdict,
    walk.data === undefined ? undefined : { result: walk.data, at: walk.dataUpdatedAt },
  );
  const verify = (
    <Button onClick={() => startVerification(client)} rightSection={<KeyCaps keys="v" />}>
      {message.brokenAt === undefined ? 'Verify' : 'Verify again'}
    </Button>
  );
  const broken = message.brokenAt !== undefined;
  const { where, weakness } = headLabel(verdict);
  return (
    <Strip state={message.state} broken={broken}>
      <div className={css.line}>
        <b className={css.title}>{message.title}</b>
        {!broken && (
          <span className={css.detail}>
            {message.detail}
            {walk.data !== undefined && walk.error === null && (
              <>
                , <TimeAgo at={walk.dataUpdatedAt} />
              </>
            )}
          </span>
        )}
        {verdict.head_seq !== undefined && verdict.head_hash !== undefined && (
          <span className={css.head}>
            <span title={verdict.head_hash}>
              head <code>{shortHash(verdict.head_hash)}</code>
            </span>
            <CopyIcon text={() => verdict.head_hash ?? ''} label="Copy the hash of the head" />
            {where}
          </span>
        )}
        <span className={css.actions}>
          {message.look !== undefined && <OpenBreak seq={message.look} onOpen={onOpen} />}
          {verdict.head_seq !== undefined && verify}
        </span>
      </div>
      {broken && <p className={css.reason}>{message.detail}</p>}
      {message.meaning !== undefined && <p className={css.reason}>{message.meaning}</p>}
      {broken && <WhatToDo />}
      {walk.error !== null && (
        <p className={css.note}>
          The last verification did not finish: {sentenceOf(walk.error)} Later records were not checked.
        </p>
      )}
      {walk.error === null && progress?.stopped === true && (
        <p className={css.note}>{stoppedMessage(progress)}</p>
      )}
      {verdict.head_seq !== undefined && !broken && weakness !== undefined && (
        <p className={css.note}>{weakness}</p>
      )}
    </Strip>
  );
}

function OpenBreak({ seq, onOpen }: { readonly seq: number; readonly onOpen: (seq: number) => void }) {
  return (
    <Button variant="filled" onClick={() => onOpen(seq)}>
      Open record {formatNumber(seq)}
    </Button>
  );
}

function WhatToDo() {
  return (
    <ol className={css.steps}>
      <li>
        Export the chain as it is now, before more is written to the store:
        <CommandBlock command="operator-console audit export -o audit.ndjson" />
      </li>
      <li>Compare it with the last export or backup you trust, starting at the record named here.</li>
      <li>Find out who could write to the store then, and change its credentials and key.</li>
    </ol>
  );
}

type WalkingProps = {
  readonly checked: number;
  readonly progress: { total: number; checked: number; startedAt: number; at: number } | undefined;
};

function Walking({ checked, progress }: WalkingProps) {
  const client = useQueryClient();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || anyLayerOpen()) return;
      event.preventDefault();
      stopVerification(client);
    };
    // Before the side panel, which the same key closes.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [client]);
  const total = progress?.total ?? 0;
  const pace = progress === undefined ? '' : formatPace(progress);
  return (
    <Strip state="working">
      <div className={css.line} role="status">
        <b className={css.title}>Verifying the chain</b>
        <ProgressBar label="Records verified" done={checked} total={total} />
        <span className={css.figures}>
          {total === 0 ? 'counting' : `${formatNumber(checked)} of ${recordsLabel(total)}`}
        </span>
        <span className={css.detail}>no break so far{pace === '' ? '' : `, ${pace}`}</span>
        <span className={css.actions}>
          <Button size="xs" onClick={() => stopVerification(client)}>
            Cancel <KeyCaps keys="Esc" />
          </Button>
        </span>
      </div>
    </Strip>
  );
}

type StripProps = {
  readonly state: StateName | undefined;
  readonly broken?: boolean;
  readonly children: ReactNode;
};

function Strip({ state, broken = false, children }: StripProps) {
  return (
    <section className={css.strip} data-broken={broken} aria-label="State of the chain">
      <span className={css.glyph}>{state !== undefined && <Glyph state={state} />}</span>
      <div className={css.words}>{children}</div>
    </section>
  );
}
