import { useQuery } from '@tanstack/react-query';
import type { ObjectView, RelatedObject, ServedKind } from '#shared/api/objects.ts';
import { logOwnerKind } from '#shared/api/workload-logs.ts';
import type { PageAddress } from '#shared/page-address.ts';
import { ActMenu } from '../../components/acts/act-menu.tsx';
import { Banner } from '../../components/banner.tsx';
import { Conditions } from '../../components/cluster/conditions.tsx';
import { EventRows } from '../../components/cluster/event-rows.tsx';
import { ObjectDialog } from '../../components/cluster/object-dialog.tsx';
import { ClusterRead } from '../../components/cluster-read.tsx';
import { Drawer } from '../../components/dialogs/drawer.tsx';
import { DrawerHead } from '../../components/dialogs/drawer-head.tsx';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { openPanel, type PanelTab, PanelTabs } from '../../components/panel-tabs.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { addressWith } from '../../core/address-with.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import { keyOfKind, keyOfObject, objectOfKey } from './kind-labels.ts';
import css from './object-drawer.module.css';
import { objectViewQuery } from './objects-query.ts';

/** Refresh interval of the open object, in milliseconds: what it owns is looked for in every kind. */
const everyMs = 20_000;

type ObjectDrawerProps = {
  readonly kind: ServedKind;
  readonly kinds: readonly ServedKind[];
  /** The key of the object in the address. */
  readonly open: string;
  readonly address: string;
  readonly onClose: () => void;
};

/** One object beside the list: what it is, what it belongs to, its conditions and events, and its YAML. */
export function ObjectDrawer({ kind, kinds, open, address: link, onClose }: ObjectDrawerProps) {
  const target = useClusterTarget();
  const { every } = useReading();
  const [address, go] = usePageAddress();
  const { name, namespace } = objectOfKey(open);
  const query = useQuery({
    ...objectViewQuery(target, { group: kind.group, kind: kind.kind, name, namespace }),
    refetchInterval: every(everyMs),
  });
  const tabs: readonly PanelTab[] = [
    { panel: undefined, title: 'Object' },
    { panel: 'related', title: 'Related', count: relatedCount(query.data) },
    { panel: 'events', title: 'Events', count: query.data?.events.length },
  ];
  return (
    <Drawer name={`${kind.kind} ${name}`} onClose={onClose}>
      <DrawerHead what="object" title={name} address={link} onClose={onClose}>
        <Tag>{kind.kind}</Tag>
        {namespace !== undefined && <Tag>{namespace}</Tag>}
        {query.data?.object?.deleted_at !== undefined && <Tag>being deleted</Tag>}
      </DrawerHead>
      <PanelTabs name="Parts of the object" tabs={tabs} />
      <ClusterRead query={query} what="Objects" skeleton={<SkeletonRows rows={6} />}>
        {(view) => (
          <>
            {!view.complete && view.unmeasured.length > 0 && (
              <div className={css.notice}>
                <Banner look="unread" icon={<Glyph state="unknown" />} title="Partly read.">
                  {view.unmeasured.join(' ')}
                </Banner>
              </div>
            )}
            <Panel view={view} kinds={kinds} open={openPanel(address.panel, tabs)} />
          </>
        )}
      </ClusterRead>
      {address.section === 'yaml' && (
        <ObjectDialog
          object={{ kind: kind.kind, group: kind.group, name, ...(namespace !== undefined && { namespace }) }}
          onClose={() => go(addressWith(address, { section: undefined }))}
        />
      )}
    </Drawer>
  );
}

type PanelProps = {
  readonly view: ObjectView;
  readonly kinds: readonly ServedKind[];
  readonly open: string | undefined;
};

function Panel({ view, kinds, open }: PanelProps) {
  if (open === 'related') return <Related view={view} kinds={kinds} />;
  if (open === 'events')
    return (
      <Part title="Events" sub="newest first">
        <EventRows events={view.events} />
        {view.events.length === 0 && (
          <p className={css.none}>None. The cluster forgets events after an hour or so.</p>
        )}
      </Part>
    );
  return <Summary view={view} />;
}

function Summary({ view: { object, conditions } }: { readonly view: ObjectView }) {
  const [address] = usePageAddress();
  if (object === undefined) return null;
  const { labels, annotations, finalizers, created_at, deleted_at } = object;
  const logs = logsOf(object, address.target ?? undefined);
  return (
    <>
      <div className={css.ways}>
        <PageLink look="outlined" to={addressWith(address, { section: 'yaml' })}>
          YAML
        </PageLink>
        <ActMenu object={objectOf(object)} />
        {logs !== undefined && (
          <PageLink look="outlined" to={logs}>
            Logs
          </PageLink>
        )}
      </div>
      <Facts>
        <Fact name="Kind">
          {object.kind}, {object.group === '' ? object.version : `${object.group}/${object.version}`}
        </Fact>
        {object.namespace !== undefined && <Fact name="Namespace">{object.namespace}</Fact>}
        {created_at !== undefined && (
          <Fact name="Created">
            <TimeAgo at={Date.parse(created_at)} />
          </Fact>
        )}
        {deleted_at !== undefined && (
          <Fact name="Deletion requested">
            <TimeAgo at={Date.parse(deleted_at)} />
          </Fact>
        )}
        {finalizers.length > 0 && <Fact name="Finalizers">{finalizers.join(', ')}</Fact>}
        {object.uid !== undefined && (
          <Fact name="UID">
            <code>{object.uid}</code>
          </Fact>
        )}
      </Facts>
      <Conditions conditions={conditions} none="Its status has none." />
      <Pairs title="Labels" pairs={labels} />
      <Pairs title="Annotations" pairs={annotations} />
    </>
  );
}

function objectOf({ group, version, kind, namespace, name }: NonNullable<ObjectView['object']>) {
  return { group, version, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

function Pairs({
  title,
  pairs,
}: {
  readonly title: string;
  readonly pairs: Readonly<Record<string, string>>;
}) {
  const entries = Object.entries(pairs);
  if (entries.length === 0) return null;
  return (
    <Part title={title} sub={entries.length}>
      <ul className={css.pairs}>
        {entries.map(([key, value]) => (
          <li key={key}>
            <code>{key}</code>
            <span>{value}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

const relatedCount = (view: ObjectView | undefined): number | undefined =>
  view === undefined ? undefined : view.owners.length + view.owned.length;

function Related({
  view: { owners, owned, complete },
  kinds,
}: {
  readonly view: ObjectView;
  readonly kinds: readonly ServedKind[];
}) {
  const none = complete ? 'None.' : 'None in the data read.';
  return (
    <>
      <Part title="Owners" sub={owners.length}>
        <Relatives objects={owners} kinds={kinds} />
        {owners.length === 0 && <p className={css.none}>None: nothing deletes it with itself.</p>}
      </Part>
      <Part title="Owns" sub={owned.length}>
        <Relatives objects={owned} kinds={kinds} />
        {owned.length === 0 && <p className={css.none}>{none}</p>}
      </Part>
    </>
  );
}

/** The logs of a pod, or of what runs pods; undefined for any other object. */
function logsOf(
  { group, kind, name, namespace }: NonNullable<ObjectView['object']>,
  target: string | undefined,
): PageAddress | undefined {
  const isOwner = ['', 'apps', 'batch'].includes(group) && logOwnerKind.safeParse(kind).success;
  if (namespace === undefined || !(isOwner || (group === '' && kind === 'Pod'))) return undefined;
  return {
    tab: 'logs',
    namespace,
    name,
    ...(isOwner && { kind }),
    ...(target !== undefined && { target }),
  };
}

type RelativesProps = { readonly objects: readonly RelatedObject[]; readonly kinds: readonly ServedKind[] };

function Relatives({ objects, kinds }: RelativesProps) {
  const target = useClusterTarget();
  return (
    <ul className={css.relatives}>
      {objects.map((object) => {
        const { group, kind, name, namespace, relation, detail, found } = object;
        const served = kinds.find((each) => each.kind === kind && each.group === group);
        return (
          <li key={`${relation} ${kind} ${keyOfObject(object)}`}>
            <span className={css.relation}>{relation}</span>
            <span className={css.relative}>
              {kind}{' '}
              {served === undefined || found === false ? (
                <code>{name}</code>
              ) : (
                <PageLink
                  to={{
                    tab: 'objects',
                    kind: keyOfKind(served),
                    record: keyOfObject({ name, namespace }),
                    ...(target !== undefined && { target }),
                  }}
                >
                  {name}
                </PageLink>
              )}
              {found === false && ' (not found)'}
            </span>
            {detail !== undefined && <span className={css.detail}>{detail}</span>}
          </li>
        );
      })}
    </ul>
  );
}
