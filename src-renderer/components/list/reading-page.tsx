import type { ReactNode } from 'react';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { IconLink } from '../../core/icons/icons.ts';
import type { ClusterReading } from '../cluster-read.tsx';
import { CopyIcon } from '../copy-icon.tsx';
import { ExplainLink } from '../explain-link.tsx';
import { FailurePanel } from '../failure-panel.tsx';
import { needsExplaining } from '../health-states.ts';
import { ReadingNotices } from '../reading-notices.tsx';
import { State } from '../state.tsx';
import { Tag } from '../tag.tsx';
import { WithCode } from '../with-code.tsx';
import { PinIcon } from '../workspace/pins.tsx';
import { ItemYaml } from './item-yaml.tsx';
import { ListPage, type ListPageProps } from './list-page.tsx';
import { shownState } from './listed.ts';
import { NothingListed } from './nothing-listed.tsx';
import css from './reading-page.module.css';
import { asSentence } from './sentence.ts';
import { ListBar, ListStrip } from './state-list-head.tsx';
import { StateRail } from './state-rail.tsx';
import type { StateList } from './use-state-list.ts';

type ReadingPageProps<Answer extends ClusterReading, Item> = ListPageProps<Answer, Item> & {
  /** The second line of a row of the rail. */
  readonly sub: (item: Item) => ReactNode;
  /** Tags beside the state of the open one. */
  readonly tags: (item: Item) => readonly string[];
  /** The open one, under its head. */
  readonly children: (item: Item, answer: Answer) => ReactNode;
};

/** A page that is a list of things with much to read of each: a rail, and the open one with room. */
export function ReadingPage<Answer extends ClusterReading, Item>(props: ReadingPageProps<Answer, Item>) {
  const { query, list, sub, tags, zero, children } = props;
  const { listed, items, all, opened } = list;
  return (
    <ListPage {...props} table={false}>
      {(answer) => (
        <div className={css.room}>
          {all.length > 0 && (
            <>
              <div className={css.strip}>
                <ListStrip list={list} />
              </div>
              <ListBar list={list} />
            </>
          )}
          {items.length === 0 ? (
            <div className={css.reading}>
              <div className={css.notices}>
                <ReadingNotices query={query} />
              </div>
              <NothingListed list={list} reading={answer}>
                {zero}
              </NothingListed>
            </div>
          ) : (
            <div className={css.split}>
              <StateRail list={list} sub={sub} />
              {/* It scrolls, so it must be reachable by key. */}
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by key. */}
              <section className={css.reading} tabIndex={0} aria-label={`The open ${listed.one}`}>
                <div className={css.notices}>
                  <ReadingNotices query={query} />
                </div>
                {opened === undefined ? (
                  <div className={css.gone}>
                    <FailurePanel state="idle" label="Not found" title={`There is no such ${listed.one}`}>
                      <p>It may have been deleted, or be in another cluster.</p>
                    </FailurePanel>
                  </div>
                ) : (
                  <article key={listed.key(opened)}>
                    <Head list={list} item={opened} tags={tags(opened)} />
                    {children(opened, answer)}
                  </article>
                )}
              </section>
            </div>
          )}
        </div>
      )}
    </ListPage>
  );
}

type HeadProps<Item> = {
  readonly list: StateList<Item>;
  readonly item: Item;
  readonly tags: readonly string[];
};

function Head<Item>({ list, item, tags }: HeadProps<Item>) {
  const { listed } = list;
  const why = listed.why(item);
  const object = listed.object?.(item);
  const target = useClusterTarget();
  return (
    <header className={css.head}>
      <div className={css.line}>
        <State {...shownState(listed, listed.state(item))} look="pill" />
        {tags.map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
        <span className={css.tools}>
          {object !== undefined && needsExplaining(listed.state(item)) && (
            <span className={css.explain}>
              <ExplainLink object={object} target={target} />
            </span>
          )}
          {object !== undefined && <ItemYaml object={object} record={listed.key(item)} />}
          <PinIcon what={listed.one} title={listed.title(item)} address={list.addressOf(listed.key(item))} />
          <CopyIcon
            text={() => `${location.origin}${list.addressOf(listed.key(item))}`}
            label={`Copy the link to this ${listed.one}`}
            icon={IconLink}
          />
        </span>
      </div>
      <h2 className={css.title}>{listed.title(item)}</h2>
      {why !== undefined && (
        <p className={css.why}>
          <WithCode>{asSentence(why)}</WithCode>
        </p>
      )}
    </header>
  );
}
