import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { ServedKind } from '#shared/api/objects.ts';
import { ClusterRead } from '../../components/cluster-read.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page/page.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { addressWith } from '../../core/address-with.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import { keyOfKind, kindOf } from './kind-labels.ts';
import { KindRail } from './kind-rail.tsx';
import { ObjectList } from './object-list.tsx';
import css from './objects-page.module.css';
import { countsQuery, kindsQuery } from './objects-query.ts';

/** Refresh interval of the kinds while the page is visible, in milliseconds. */
const everyMs = 60_000;

const none: readonly ServedKind[] = [];

/** The kind that is opened when the address names none. */
const firstKind = 'pods';

/** Any object of the target: its kinds by group, the objects of one as kubectl lists them, and one object beside them. */
export function ObjectsPage() {
  const target = useClusterTarget();
  const [address, go] = usePageAddress();
  const href = useHref();
  const { every } = useReading();
  const query = useQuery({ ...kindsQuery(target), refetchInterval: every(everyMs) });
  const kinds = query.data?.items ?? none;
  const counted = useQuery({ ...countsQuery(target), enabled: kinds.length > 0 });
  const counts = useMemo(() => countsOf(kinds, counted.data?.items ?? []), [kinds, counted.data]);
  const input = useRef<HTMLInputElement>(null);
  const kind = kindOf(kinds, address.kind ?? firstKind) ?? (address.kind === null ? kinds[0] : undefined);
  const placeOf = (next: ServedKind) => ({
    tab: 'objects',
    kind: keyOfKind(next),
    ...(address.namespace !== null && next.namespaced && { namespace: address.namespace }),
    ...(address.type !== null && { type: address.type }),
    ...(target !== undefined && { target }),
  });
  return (
    <Page
      title="Objects"
      sub={kind === undefined ? '' : keyOfKind(kind)}
      flush
      actions={<ReadingCoverage reading={query.data} />}
    >
      <ClusterRead query={query} what="Kinds" skeleton={<SkeletonRows rows={10} />}>
        {() => (
          <div className={css.room}>
            <KindRail
              input={input}
              kinds={kinds}
              counts={counts}
              q={address.type ?? ''}
              open={kind}
              addressOf={(next) => href(placeOf(next))}
              onOpen={(next) => go(placeOf(next))}
              onFilter={(text) =>
                go(addressWith(address, { type: text === '' ? undefined : text }), 'replace')
              }
            />
            {kind === undefined ? (
              <div className={css.instead}>
                <FailurePanel state="idle" label="Not found" title={`There is no kind ${address.kind} here`}>
                  <p>Its definition may not be installed in this target. Choose another kind on the left.</p>
                </FailurePanel>
              </div>
            ) : (
              <ObjectList key={keyOfKind(kind)} kind={kind} kinds={kinds} />
            )}
          </div>
        )}
      </ClusterRead>
    </Page>
  );
}

/** Counts by kind: those of a bundle come with its kinds. */
function countsOf(
  kinds: readonly ServedKind[],
  counted: readonly { readonly group: string; readonly plural: string; readonly count: number }[],
): ReadonlyMap<string, number> {
  return new Map([
    ...kinds.flatMap((kind): [string, number][] =>
      kind.count === undefined ? [] : [[keyOfKind(kind), kind.count]],
    ),
    ...counted.map((each): [string, number] => [keyOfKind(each), each.count]),
  ]);
}
