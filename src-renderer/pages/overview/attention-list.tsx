import { Button } from '@mantine/core';
import { useCallback, useMemo, useRef } from 'react';
import type { Attention } from '#shared/api/cluster.ts';
import { ExplainLink } from '../../components/explain-link.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { healthStates } from '../../components/health-states.ts';
import { KeyCaps } from '../../components/key-caps.tsx';
import { asSentence } from '../../components/list/sentence.ts';
import { useOneStop } from '../../components/list/use-one-stop.ts';
import { Panel } from '../../components/panel.tsx';
import { SkeletonRows, Waiting } from '../../components/skeleton.tsx';
import { Spoken } from '../../components/spoken.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { type Command, useCommands } from '../../core/commands.tsx';
import { IconAlertTriangle } from '../../core/icons/icons.ts';
import { movedIndex } from '../../core/keys.ts';
import { listCommands } from '../../core/list-commands.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import css from './attention-list.module.css';
import { addressOf, attentionLabel, verbOf } from './overview-labels.ts';
import type { DashboardAnswer } from './overview-queries.ts';

type AttentionListProps = {
  /** Worst first; undefined while the first diagnosis is waited for. */
  readonly items: readonly Attention[] | undefined;
  /** What a diagnosis found after these were shown. */
  readonly newer: { readonly count: number; show(): void } | undefined;
  readonly complete: boolean;
  readonly diagnosis: DashboardAnswer['diagnosis'];
  readonly target: string | undefined;
};

const none: readonly Attention[] = [];

/** Lists what needs attention: what is wrong, why, where, since when, and what to do. */
export function AttentionList({ items: settled, newer, complete, diagnosis, target }: AttentionListProps) {
  const items = settled ?? none;
  const [, go] = usePageAddress();
  const href = useHref();
  const list = useRef<HTMLUListElement>(null);
  const move = useCallback((step: 1 | -1) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('a[data-id]') ?? [])];
    const at = rows.findIndex((row) => row.matches(':focus'));
    rows[movedIndex(at, step, rows.length)]?.focus();
  }, []);
  useCommands(
    useMemo<readonly Command[]>(
      () => [
        ...listCommands({ move, of: 'finding' }),
        ...items.map<Command>((item) => ({
          id: `attention.${item.id}`,
          group: 'Records',
          title: item.title,
          detail: item.cause,
          icon: IconAlertTriangle,
          run: () => go(addressOf(item, target)),
        })),
      ],
      [items, move, go, target],
    ),
  );
  useOneStop(list);
  return (
    <Panel
      title="Needs attention now"
      sub={items.length === 0 ? undefined : items.length}
      tools={
        <>
          {diagnosis !== undefined && <Diagnosed diagnosis={diagnosis} />}
          {items.length > 0 && (
            <span className={css.keys}>
              <KeyCaps keys="j" />
              <KeyCaps keys="k" /> move <KeyCaps keys="Enter" /> open
            </span>
          )}
        </>
      }
    >
      <div role="status">
        {newer !== undefined && (
          <p className={css.newer}>
            {attentionLabel(newer.count)} by the diagnosis that has just ended.{' '}
            <Button size="xs" onClick={newer.show}>
              Show its findings
            </Button>
          </p>
        )}
      </div>
      {settled === undefined ? (
        <div className={css.waiting}>
          <Waiting label="Diagnosing" />
          <SkeletonRows rows={6} />
        </div>
      ) : items.length === 0 ? (
        <p className={css.none}>
          <State
            state={complete ? 'healthy' : 'unknown'}
            label={complete ? 'Nothing needs attention' : 'Nothing in the data read'}
          />
          {complete ? 'Everything was checked.' : 'Not everything was read, so there may be something.'}
        </p>
      ) : (
        <ul ref={list} className={css.list}>
          {items.map((item) => {
            const to = addressOf(item, target);
            return (
              <li key={item.id} className={css.row}>
                <Glyph state={item.state} />
                <div className={css.head}>
                  <a
                    className={css.title}
                    href={href(to)}
                    data-id={item.id}
                    onClick={(event) => {
                      if (openedByPlainClick(event)) go(to);
                    }}
                  >
                    <Spoken>{`${healthStates[item.state].label}: `}</Spoken>
                    {item.title}
                  </a>
                  <span className={css.facts}>
                    {item.object !== undefined && (
                      <Tag>
                        <code className={css.where} title={item.object.namespace}>
                          {item.object.namespace ?? item.object.kind}
                        </code>
                      </Tag>
                    )}
                    {item.since !== undefined && <TimeAgo at={Date.parse(item.since)} />}
                    <span className={css.verb}>
                      {verbOf(item)}
                      <span className={css.enter}>
                        <KeyCaps keys="Enter" />
                      </span>
                    </span>
                    {isToExplain(item) && (
                      <span className={css.explain}>
                        <ExplainLink object={item.object} target={target} />
                      </span>
                    )}
                  </span>
                </div>
                {item.cause !== undefined && (
                  <p className={css.cause} title={asSentence(item.cause)}>
                    <WithCode>{asSentence(item.cause)}</WithCode>
                  </p>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}

/** Tells whether an item can still be explained by a diagnosis, as it does not lead to a finding already. */
function isToExplain(
  item: Attention,
): item is Attention & { readonly object: NonNullable<Attention['object']> } {
  return item.object !== undefined && item.place.tab !== 'troubleshoot';
}

/** Shows whether causes were diagnosed, and when; without a diagnosis an item shows only its symptoms. */
function Diagnosed({
  diagnosis: { at, running },
}: {
  readonly diagnosis: NonNullable<DashboardAnswer['diagnosis']>;
}) {
  return (
    <span className={css.diagnosed}>
      {at !== undefined ? (
        <>
          diagnosed <TimeAgo at={Date.parse(at)} fromNow />
        </>
      ) : running ? (
        'diagnosing'
      ) : (
        'not diagnosed yet'
      )}
    </span>
  );
}
