import type { Delivery } from '#shared/api/delivery.ts';
import { CommitId } from '../../components/commit-id.tsx';
import { Drawer } from '../../components/dialogs/drawer.tsx';
import { DrawerHead } from '../../components/dialogs/drawer-head.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { asSentence } from '../../components/list/sentence.ts';
import { OutLink } from '../../components/out-link.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { healths, standingLabels, statusOf, syncs } from './delivery-labels.ts';
import css from './delivery-panel.module.css';

type DeliveryPanelProps = {
  /** Name in the address; the delivery is undefined if none has it. */
  readonly name: string;
  readonly delivery: Delivery | undefined;
  readonly onClose: () => void;
};

/** One delivery beside the list: why it stands so, what is delivered and what should be, and the ways on. */
export function DeliveryPanel({ name, delivery, onClose }: DeliveryPanelProps) {
  const title = delivery?.name ?? name;
  const href = useHref();
  return (
    <Drawer name={`Delivery ${title}`} onClose={onClose}>
      <DrawerHead
        what="delivery"
        title={title}
        address={href({ tab: 'gitops', record: name })}
        onClose={onClose}
      >
        {delivery !== undefined && (
          <>
            <State {...standingLabels[statusOf(delivery)]} look="pill" />
            {delivery.repo !== undefined && <Tag>{delivery.repo}</Tag>}
          </>
        )}
      </DrawerHead>
      {delivery === undefined ? (
        <div className={css.part}>
          <FailurePanel state="idle" label="Not found" title="There is no such delivery">
            <p>Its workflow may have been renamed, or its runs may be older than those loaded.</p>
          </FailurePanel>
        </div>
      ) : (
        <Facts delivery={delivery} />
      )}
    </Drawer>
  );
}

function Facts({ delivery }: { readonly delivery: Delivery }) {
  const { sync, health, detail, revision, target_revision, branch, last_transition, url } = delivery;
  const synced = revision === target_revision;
  return (
    <>
      <p className={css.why}>{asSentence(detail)}</p>
      <dl className={css.facts}>
        <dt>Sync</dt>
        <dd>
          <State {...syncs[sync]} />
        </dd>
        <dt>Health</dt>
        <dd>
          <State {...healths[health]} />
        </dd>
        <dt>Delivered</dt>
        <dd>{revision === undefined ? 'nothing in the data read' : <CommitId sha={revision} />}</dd>
        <dt>Should be</dt>
        <dd>{synced ? 'the same revision' : <CommitId sha={target_revision} />}</dd>
        {branch !== undefined && (
          <>
            <dt>Branch</dt>
            <dd>
              <code>{branch}</code>
            </dd>
          </>
        )}
        <dt>Since</dt>
        <dd>
          <TimeAgo at={Date.parse(last_transition)} />
        </dd>
      </dl>
      <ul className={css.ways}>
        {url !== undefined && (
          <li>
            <OutLink href={url}>Open the run on the code host</OutLink>
          </li>
        )}
        <li>
          <CommitLink sha={target_revision} repo={delivery.repo}>
            {synced ? 'Trace this commit' : 'Trace the newest commit'}
          </CommitLink>
        </li>
        {!synced && revision !== undefined && (
          <li>
            <CommitLink sha={revision} repo={delivery.repo}>
              Trace the delivered commit
            </CommitLink>
          </li>
        )}
      </ul>
    </>
  );
}

type CommitLinkProps = { readonly sha: string; readonly repo: string | undefined; readonly children: string };

/** A link to the lineage page, asking about a commit. */
function CommitLink({ sha, repo, children }: CommitLinkProps) {
  const [, go] = usePageAddress();
  const href = useHref();
  const to = { tab: 'lineage', sha, ...(repo !== undefined && { repo }) };
  return (
    <a
      href={href(to)}
      onClick={(event) => {
        if (openedByPlainClick(event)) go(to);
      }}
    >
      {children}
    </a>
  );
}
