import type { ReactNode } from 'react';
import { capitalised } from '#shared/text.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { Drawer } from '../dialogs/drawer.tsx';
import { DrawerHead } from '../dialogs/drawer-head.tsx';
import { ExplainLink } from '../explain-link.tsx';
import { FailurePanel } from '../failure-panel.tsx';
import { needsExplaining } from '../health-states.ts';
import { State } from '../state.tsx';
import { Tag } from '../tag.tsx';
import { WithCode } from '../with-code.tsx';
import { ItemYaml } from './item-yaml.tsx';
import { shownState } from './listed.ts';
import { asSentence } from './sentence.ts';
import css from './state-list.module.css';
import type { StateList } from './use-state-list.ts';

type ItemDrawerProps<Item> = {
  readonly list: StateList<Item>;
  /** The key the address opens. */
  readonly open: string;
  /** Its facts, under why it stands as it does. */
  readonly children: (item: Item) => ReactNode;
};

/** One thing of a list beside the list: its state, why, and its facts. */
export function ItemDrawer<Item>({ list, open, children }: ItemDrawerProps<Item>) {
  const { listed, opened, close } = list;
  const target = useClusterTarget();
  const title = opened === undefined ? open : listed.title(opened);
  const namespace = opened === undefined ? undefined : listed.namespace(opened);
  const object = opened === undefined ? undefined : listed.object?.(opened);
  // Only of what stands ill a person asks why.
  const requested =
    opened === undefined || !needsExplaining(listed.state(opened))
      ? undefined
      : (object ?? listed.about?.(opened));
  const why = opened === undefined ? undefined : listed.why(opened);
  return (
    <Drawer name={`${capitalised(listed.one)} ${title}`} onClose={close}>
      <DrawerHead what={listed.one} title={title} address={list.addressOf(open)} onClose={close}>
        {opened !== undefined && (
          <>
            <State {...shownState(listed, listed.state(opened))} look="pill" />
            {namespace !== undefined && <Tag>{namespace}</Tag>}
            {(object !== undefined || requested !== undefined) && (
              <span className={css.yaml}>
                {requested !== undefined && (
                  <span className={css.explain}>
                    <ExplainLink object={requested} target={target} />
                  </span>
                )}
                {object !== undefined && <ItemYaml object={object} record={open} />}
              </span>
            )}
          </>
        )}
      </DrawerHead>
      {opened === undefined ? (
        <div className={css.gone}>
          <FailurePanel state="idle" label="Not found" title={`There is no such ${listed.one}`}>
            <p>It may have been deleted or renamed, or be in another cluster or bundle.</p>
          </FailurePanel>
        </div>
      ) : (
        <>
          {why !== undefined && (
            <p className={css.why}>
              <WithCode>{asSentence(why)}</WithCode>
            </p>
          )}
          {children(opened)}
        </>
      )}
    </Drawer>
  );
}
