import { useCallback, useMemo, useRef } from 'react';
import type { Attention } from '#shared/api/cluster.ts';
import { pageHref } from '#shared/page-address.ts';
import { ExplainLink } from '../../components/explain-link.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { KeyCaps } from '../../components/key-caps.tsx';
import { asSentence } from '../../components/list/sentence.ts';
import { Panel } from '../../components/panel.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { type Command, useCommands } from '../../core/commands.tsx';
import { IconAlertTriangle } from '../../core/icons/icons.ts';
import { movedIndex } from '../../core/keys.ts';
import { listCommands } from '../../core/list-commands.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import css from './attention-list.module.css';
import { addressOf, verbOf } from './overview-labels.ts';
import type { DashboardAnswer } from './overview-queries.ts';

type AttentionListProps = {
  /** Worst first. */
  readonly items: readonly Attention[];
  readonly complete: boolean;
  readonly diagnosis: DashboardAnswer['diagnosis'];
  readonly target: string | undefined;
};

/** Lists what needs attention: what is wrong, why, where, since when, and what to do. */
export function AttentionList({ items, complete, diagnosis, target }: AttentionListProps) {
  const [, go] = usePageAddress();
  const canExplain = items.some(isToExplain);
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
      {items.length === 0 ? (
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
              <li key={item.id}>
                <a
                  className={css.row}
                  href={pageHref(to)}
                  data-id={item.id}
                  onClick={(event) => {
                    if (openedByPlainClick(event)) go(to);
                  }}
                >
                  <Glyph state={item.state} />
                  <span className={css.words}>
                    <b title={item.title}>{item.title}</b>
                    {item.cause !== undefined && (
                      <span className={css.cause} title={asSentence(item.cause)}>
                        <WithCode>{asSentence(item.cause)}</WithCode>
                      </span>
                    )}
                  </span>
                  {item.object !== undefined && (
                    <Tag>
                      <code className={css.where} title={item.object.namespace}>
                        {item.object.namespace ?? item.object.kind}
                      </code>
                    </Tag>
                  )}
                  <span className={css.since}>
                    {item.since !== undefined && <TimeAgo at={Date.parse(item.since)} />}
                  </span>
                  <span className={css.verb}>
                    {verbOf(item)}
                    <span className={css.enter}>
                      <KeyCaps keys="Enter" />
                    </span>
                  </span>
                </a>
                {canExplain && (
                  <span className={css.explain}>
                    {isToExplain(item) && <ExplainLink object={item.object} target={target} />}
                  </span>
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
          diagnosed <TimeAgo at={Date.parse(at)} />
        </>
      ) : running ? (
        'diagnosing'
      ) : (
        'not diagnosed yet'
      )}
    </span>
  );
}
