import { type RefObject, useRef } from 'react';
import type { ServedKind } from '#shared/api/objects.ts';
import { formatCount } from '../../components/format-quantity.ts';
import { useOneStop } from '../../components/list/use-one-stop.ts';
import { TextFilter } from '../../components/text-filter.tsx';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { groupedKinds, keyOfKind } from './kind-labels.ts';
import css from './kind-rail.module.css';

type KindRailProps = {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly kinds: readonly ServedKind[];
  /** Number of objects by `keyOfKind`; absent where that is not known. */
  readonly counts: ReadonlyMap<string, number>;
  readonly q: string;
  readonly open: ServedKind | undefined;
  readonly addressOf: (kind: ServedKind) => string;
  readonly onOpen: (kind: ServedKind) => void;
  readonly onFilter: (q: string) => void;
};

/** Every kind of the target by its group, each with how many objects there are. */
export function KindRail({ input, kinds, counts, q, open, addressOf, onOpen, onFilter }: KindRailProps) {
  const scroller = useRef<HTMLDivElement>(null);
  useOneStop(scroller);
  const groups = groupedKinds(kinds, q);
  const shown = groups.reduce((sum, group) => sum + group.kinds.length, 0);
  return (
    <nav className={css.rail} aria-label="Kinds">
      <search className={css.filter} aria-label="Filter the kinds">
        <TextFilter ref={input} label="Filter kinds" keyed={false} value={q} onChange={onFilter} />
      </search>
      <p className={css.count} role="status">
        {shown === kinds.length
          ? formatCount(shown, 'kind')
          : `${shown} of ${formatCount(kinds.length, 'kind')}`}
      </p>
      <div ref={scroller} className={css.scroller}>
        {groups.map(({ title, kinds: members }) => (
          <section key={title} aria-label={title}>
            <h2 className={css.group}>{title}</h2>
            <ul>
              {members.map((kind) => {
                const count = counts.get(keyOfKind(kind));
                return (
                  <li key={keyOfKind(kind)}>
                    <a
                      className={css.row}
                      href={addressOf(kind)}
                      data-key={keyOfKind(kind)}
                      data-none={count === 0}
                      aria-current={kind === open ? 'true' : undefined}
                      title={`${keyOfKind(kind)}, ${kind.version}`}
                      onClick={(event) => {
                        if (openedByPlainClick(event)) onOpen(kind);
                      }}
                    >
                      <span className={css.name}>{kind.kind}</span>
                      {count !== undefined && (
                        <span className={css.number}>{count.toLocaleString('en')}</span>
                      )}
                    </a>
                  </li>
                );
              })}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}
