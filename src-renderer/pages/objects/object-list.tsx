import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { z } from 'zod';
import type { ObjectRow, ServedKind } from '#shared/api/objects.ts';
import { ChoiceChip } from '../../components/choice-chip.tsx';
import { ClusterRead } from '../../components/cluster-read.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { formatCount } from '../../components/format-quantity.ts';
import { createAddressFilter } from '../../components/list/address-filter.ts';
import type { ListPlan } from '../../components/list/list-address.ts';
import { useList } from '../../components/list/use-list.ts';
import { useListAddress } from '../../components/list/use-list-address.ts';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import { ExportRows } from '../../components/table/export-rows.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { IconBraces } from '../../core/icons/icons.ts';
import { namespacesQuery } from '../../core/namespace-queries.ts';
import { useReading } from '../../core/reading.tsx';
import { keyOfKind, keyOfObject } from './kind-labels.ts';
import { tableColumns } from './object-columns.ts';
import { ObjectDrawer } from './object-drawer.tsx';
import css from './objects-page.module.css';
import { type ObjectsPageAnswer, objectsQuery } from './objects-query.ts';

/** Refresh interval of a list of one page, in milliseconds. Longer ones are read again when the person asks. */
const everyMs = 10_000;

/** Objects that are loaded by themselves, page after page; more are loaded on demand. */
const mostByItself = 20_000;

const filter = createAddressFilter(
  z.object({
    kind: z.string().optional(),
    namespace: z.string().optional(),
    selector: z.string().optional(),
    q: z.string().optional(),
    type: z.string().optional(),
  }),
);
type Filter = ReturnType<typeof filter.read>['filter'];

const plan: ListPlan<Filter> = { tab: 'objects', filter, openPart: 'record', keeps: ['target'] };

const noRows: readonly ObjectRow[] = [];

type ObjectListProps = { readonly kind: ServedKind; readonly kinds: readonly ServedKind[] };

/** The objects of one kind, as `kubectl get` lists them, and one of them beside the list. */
export function ObjectList({ kind, kinds }: ObjectListProps) {
  const target = useClusterTarget();
  const { every } = useReading();
  const address = useListAddress(plan);
  const { namespace, selector, q } = address.filter;
  const within = kind.namespaced ? namespace : undefined;
  const query = useInfiniteQuery({
    ...objectsQuery(target, {
      group: kind.group,
      plural: kind.plural,
      namespace: within,
      selector,
    }),
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? every(everyMs) : false),
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, isError } = query;
  const loaded = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? noRows, [data]);
  const isNext = hasNextPage && !isFetchingNextPage && !isError;
  useEffect(() => {
    if (isNext && loaded.length < mostByItself) void fetchNextPage();
  }, [isNext, loaded.length, fetchNextPage]);
  const heads = data?.pages[0]?.columns;
  const first = data?.pages[0]?.items;
  const columns = useMemo(
    () => tableColumns({ columns: heads ?? [], rows: first ?? noRows, kind, namespace: within }),
    [heads, first, kind, within],
  );
  const matching = useMemo(() => matchingRows(loaded, q), [loaded, q]);
  const list = useList({
    address,
    rows: matching,
    columns,
    keyOf: keyOfObject,
    command,
  });
  const reading = useMemo(() => readingOf(data?.pages), [data]);
  const selectorInput = useRef<HTMLInputElement>(null);
  const namespaces = useQuery({ ...namespacesQuery(target), enabled: kind.namespaced });
  const last = data?.pages.at(-1);
  const remaining = hasNextPage ? last?.remaining : 0;
  return (
    <div className={css.main}>
      <search className={css.bar} aria-label={`Filter ${kind.plural}`}>
        {kind.namespaced && (
          <ChoiceChip
            name="Namespace"
            everything="all"
            value={namespace}
            choices={namespaces.data?.items.map(({ name }) => name) ?? []}
            onChange={(next) => address.narrow({ namespace: next })}
          />
        )}
        <TextFilter
          ref={list.input}
          label={`Filter ${kind.plural}`}
          value={q ?? ''}
          onChange={(next) => address.narrow({ q: next }, 'replace')}
        />
        <TextFilter
          ref={selectorInput}
          label="Label selector"
          keyed={false}
          value={selector ?? ''}
          onChange={(next) => address.narrow({ selector: next }, 'replace')}
        />
        <span className={css.count} role="status">
          {countLabel({ shown: list.rows.length, loaded: loaded.length, remaining, plural: kind.plural })}
        </span>
        {list.rows.length > 0 && (
          <ExportRows
            name={kind.plural}
            label={`The ${formatCount(list.rows.length, 'object')} shown`}
            table={{ id: 'objects', columns }}
            fields={exported}
            rows={list.rows}
          />
        )}
      </search>
      <ClusterRead
        query={{ data: reading, error: query.error, isFetching: query.isFetching, refetch: query.refetch }}
        what={kind.kind}
        skeleton={<SkeletonRows rows={10} />}
      >
        {() => (
          <>
            <div className={css.notices}>
              <ReadingNotices
                query={{
                  data: reading,
                  error: query.error,
                  isFetching: query.isFetching,
                  refetch: query.refetch,
                }}
              />
            </div>
            <div className={css.split}>
              <div className={css.list}>
                {list.rows.length === 0 ? (
                  <Nothing
                    kind={kind}
                    isNarrowed={q !== undefined || selector !== undefined || within !== undefined}
                    isWhole={reading?.complete === true && !hasNextPage}
                    onClear={() =>
                      address.narrow({ q: undefined, selector: undefined, namespace: undefined })
                    }
                  />
                ) : (
                  <DataTable
                    ref={list.moves}
                    id="objects"
                    label={kind.kind}
                    columns={columns}
                    rows={list.rows}
                    keyOf={keyOfObject}
                    sort={address.sort}
                    onSort={address.sortBy}
                    onMove={list.move}
                    open={address.open}
                    addressOf={address.addressOf}
                    onOpen={address.show}
                    object={({ name, namespace: where }) => ({
                      kind: keyOfKind(kind),
                      name,
                      ...(where !== undefined && { namespace: where }),
                    })}
                    narrowed={q !== undefined}
                    onNearEnd={isNext ? fetchNextPage : undefined}
                    outdated={query.isPlaceholderData}
                  />
                )}
              </div>
              {address.open !== undefined && (
                <ObjectDrawer
                  key={address.open}
                  kind={kind}
                  kinds={kinds}
                  open={address.open}
                  address={address.addressOf(address.open)}
                  onClose={list.close}
                />
              )}
            </div>
          </>
        )}
      </ClusterRead>
    </div>
  );
}

const exported = ['name', 'namespace', 'uid', 'created_at', 'owner', 'cells'] as const;

const command = ({ name, namespace }: ObjectRow) => ({
  id: `object.${keyOfObject({ name, namespace })}`,
  title: name,
  detail: namespace ?? '',
  icon: IconBraces,
});

/** The rows whose name, namespace or cells have every word. */
function matchingRows(rows: readonly ObjectRow[], q: string | undefined): readonly ObjectRow[] {
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ name, namespace, cells }) => {
    const text = [name, namespace, ...cells].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** What was read of all pages: as complete as the least complete of them. */
function readingOf(pages: readonly ObjectsPageAnswer[] | undefined): ObjectsPageAnswer | undefined {
  const [first] = pages ?? [];
  if (pages === undefined || first === undefined) return undefined;
  return {
    ...first,
    complete: pages.every(({ complete }) => complete),
    unmeasured: [...new Set(pages.flatMap(({ unmeasured }) => unmeasured))],
  };
}

type Counts = {
  readonly shown: number;
  readonly loaded: number;
  /** Undefined when there are more, and the target does not say how many. */
  readonly remaining: number | undefined;
  readonly plural: string;
};

function countLabel({ shown, loaded, remaining, plural }: Counts): string {
  const of = shown === loaded ? '' : `${shown.toLocaleString('en')} of `;
  if (remaining === 0) return `${of}${loaded.toLocaleString('en')} ${plural}`;
  const all = remaining === undefined ? 'more' : (loaded + remaining).toLocaleString('en');
  return `${of}${loaded.toLocaleString('en')} loaded${remaining === undefined ? ', more follow' : ` of ${all}`}`;
}

type NothingProps = {
  readonly kind: ServedKind;
  readonly isNarrowed: boolean;
  readonly isWhole: boolean;
  readonly onClear: () => void;
};

function Nothing({ kind, isNarrowed, isWhole, onClear }: NothingProps) {
  return (
    <div className={css.instead}>
      <FailurePanel
        state={isWhole ? 'idle' : 'unknown'}
        label={isWhole ? 'Empty' : 'Not read'}
        title={isNarrowed ? `No ${kind.kind} matches` : `No ${kind.kind} in the data read`}
        {...(isNarrowed && {
          actions: (
            <Button variant="filled" onClick={onClear}>
              Clear all filters
            </Button>
          ),
        })}
      >
        <p>
          {isWhole ? 'No results; everything was checked.' : 'Not everything was read, so there may be some.'}
        </p>
      </FailurePanel>
    </div>
  );
}
