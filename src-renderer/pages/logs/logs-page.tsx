import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { NamespaceRow, Pod } from '#shared/api/cluster.ts';
import { healthWorstFirst } from '#shared/health/worst-first.ts';
import { ClusterRead, type ClusterReading } from '../../components/cluster-read.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';

import { formatRange, type LineRange, rangeOf } from '../../components/log-viewer/log-labels.ts';
import { Page } from '../../components/page/page.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import type { RowMoves } from '../../components/table/use-virtual-rows.ts';
import { addressWith } from '../../core/address-with.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { type Command, useCommands } from '../../core/commands.tsx';
import { IconFileText } from '../../core/icons/icons.ts';
import { listCommands } from '../../core/list-commands.ts';
import { namespaceQuery, namespacesQuery } from '../../core/namespace-queries.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import css from './logs-page.module.css';
import { PodLog } from './pod-log.tsx';
import { PodRail } from './pod-rail.tsx';
import { WorkloadLog } from './workload-log.tsx';
import { mergedPlace, workloadOf, workloadsIn } from './workload-log-source.ts';

/** Refresh interval of the pods while the page is visible, in milliseconds; changes arrive sooner. */
const everyMs = 10_000;

/** Pods the palette knows: the worst. */
const mostInPalette = 200;

const none: readonly Pod[] = [];
const noNamespaces: readonly NamespaceRow[] = [];

/** The logs of pods. Which one, which part of it and which lines are picked is all in the address. */
export function LogsPage() {
  const target = useClusterTarget();
  const [address, go] = usePageAddress();
  const href = useHref();
  const { every } = useReading();
  const namespaces = useQuery({ ...namespacesQuery(target), refetchInterval: every(everyMs) });
  const rows = namespaces.data?.items ?? noNamespaces;
  const worst = useMemo(() => worstNamespace(rows), [rows]);
  const namespace = address.namespace ?? worst?.name;
  const query = useQuery({
    ...namespaceQuery(target, namespace ?? ''),
    enabled: namespace !== undefined,
    refetchInterval: every(everyMs),
  });
  const all = query.data?.pods ?? none;
  const q = address.q ?? '';
  const pods = useMemo(() => narrowed(all, q), [all, q]);
  const input = useRef<HTMLInputElement>(null);
  const rail = useRef<RowMoves<Pod>>(null);
  const merged = workloadOf(address);
  const name = merged === undefined ? (address.name ?? undefined) : undefined;
  const follow = address.follow !== 'false';
  // Into the address, so that the log stays open when another pod becomes worse.
  const toOpen = name === undefined && merged === undefined && q === '' ? worstPod(all) : undefined;
  useEffect(() => {
    if (toOpen !== undefined)
      go(addressWith(address, { namespace: toOpen.namespace, name: toOpen.name }), 'replace');
  }, [toOpen, address, go]);
  const open = useCallback(
    (pod: Pod) =>
      go({
        tab: 'logs',
        namespace: pod.namespace,
        name: pod.name,
        ...(target !== undefined && { target }),
        ...(q !== '' && { q }),
      }),
    [go, target, q],
  );
  usePodCommands({ pods, rail, input, open, reading: name !== undefined || merged !== undefined });
  const { record } = address;
  const picked = useMemo(() => rangeOf(record), [record]);
  const linesAddress = (lines: LineRange | undefined) =>
    addressWith(address, { record: lines === undefined ? undefined : formatRange(lines) });
  const pick = (lines: LineRange | undefined) => go(linesAddress(lines), 'replace');
  // Of a list that has no namespace to read of, the reading is that of the namespaces.
  const shown = namespace === undefined ? namespaces : query;
  const live = query.data?.source === 'kubernetes';

  return (
    <Page
      title="Logs"
      sub={namespace === undefined ? '' : `pods of ${namespace}`}
      flush
      actions={<ReadingCoverage reading={shown.data} />}
    >
      <ClusterRead<ClusterReading> query={shown} what="Pods" skeleton={<SkeletonRows rows={10} />}>
        {() =>
          namespace === undefined ? (
            <div className={css.instead}>
              <FailurePanel state="idle" label="Empty" title="There is no namespace to read logs from">
                <p>The target lists none you may read.</p>
              </FailurePanel>
            </div>
          ) : (
            <div className={css.room}>
              <PodRail
                ref={rail}
                input={input}
                namespace={namespace}
                namespaces={rows.map((row) => row.name)}
                workloads={workloadsIn(query.data)}
                workload={merged?.kind === undefined ? undefined : `${merged.kind}/${merged.name}`}
                selector={merged?.selector}
                onWorkload={(workload) => go(mergedPlace({ namespace, target, workload }))}
                onSelector={(selector) => go(mergedPlace({ namespace, target, selector }))}
                q={q}
                pods={pods}
                total={all.length}
                open={name}
                addressOf={(pod) =>
                  href({
                    tab: 'logs',
                    namespace: pod.namespace,
                    name: pod.name,
                    ...(target !== undefined && { target }),
                  })
                }
                onOpen={open}
                onNamespace={(next) =>
                  go({
                    tab: 'logs',
                    ...(next !== undefined && { namespace: next }),
                    ...(target !== undefined && { target }),
                  })
                }
                onFilter={(text) =>
                  go(addressWith(address, { q: text === '' ? undefined : text }), 'replace')
                }
              />
              <div className={css.main}>
                <div className={css.notices}>
                  <ReadingNotices query={query} />
                </div>
                {merged !== undefined ? (
                  <WorkloadLog target={target} namespace={namespace} of={merged} mayFollow={live} />
                ) : name === undefined ? (
                  <Choose total={all.length} complete={query.data?.complete === true} />
                ) : (
                  <PodLog
                    source={{
                      target,
                      namespace,
                      pod: name,
                      container: address.container ?? undefined,
                      previous: address.previous === 'true',
                      follow: live && follow && address.previous !== 'true',
                      since: address.since ?? undefined,
                      tail: address.tail ?? undefined,
                    }}
                    pod={all.find((pod) => pod.name === name)}
                    mayFollow={live}
                    picked={picked}
                    addressOf={(lines) => href(linesAddress(lines))}
                    onPick={pick}
                    onContainer={(container) => go(addressWith(address, { container, record: undefined }))}
                    onPrevious={(previous) =>
                      go(addressWith(address, { previous: previous ? 'true' : undefined, record: undefined }))
                    }
                    onFollow={(on) => go(addressWith(address, { follow: on ? undefined : 'false' }))}
                    onSince={(since) => go(addressWith(address, { since, record: undefined }))}
                    onTail={(tail) => go(addressWith(address, { tail, record: undefined }))}
                    look={{
                      ...(address.wrap !== null && { wrap: address.wrap === 'true' }),
                      ...(address.timestamps !== null && { times: address.timestamps === 'true' }),
                    }}
                    onLook={({ wrap, times }) =>
                      go(addressWith(address, { wrap: String(wrap), timestamps: String(times) }), 'replace')
                    }
                  />
                )}
              </div>
            </div>
          )
        }
      </ClusterRead>
    </Page>
  );
}

function Choose({ total, complete }: { readonly total: number; readonly complete: boolean }) {
  return (
    <div className={css.instead}>
      <FailurePanel
        state="idle"
        label={total === 0 ? 'Empty' : 'Nothing open'}
        title={total === 0 ? 'No pod is in this namespace' : 'Choose a pod to read its log'}
      >
        <p>
          {total > 0
            ? 'Failing first. j/k to move, Enter to open.'
            : complete
              ? 'No results; everything was checked. Choose another namespace on the left.'
              : 'Not everything was read, so there may be some.'}
        </p>
      </FailurePanel>
    </div>
  );
}

/** The namespace with the most pods that fail: there is something to read. */
function worstNamespace(rows: readonly NamespaceRow[]): NamespaceRow | undefined {
  return rows.toSorted((a, b) => b.failing_pods.length - a.failing_pods.length)[0];
}

/** The worst pod that has a log: among those in the worst state the one that restarted most. */
function worstPod(pods: readonly Pod[]): Pod | undefined {
  const rank = ({ state }: Pod) => healthWorstFirst.indexOf(state);
  return pods.toSorted(
    (a, b) => rank(a) - rank(b) || b.restarts - a.restarts || a.name.localeCompare(b.name),
  )[0];
}

/** Pods that have the words in name, status or an image, the worst first. */
function narrowed(pods: readonly Pod[], q: string): readonly Pod[] {
  const wanted = q.toLowerCase();
  return pods
    .filter(({ name, status, containers }) =>
      [name, status, ...containers.map(({ image }) => image)].join(' ').toLowerCase().includes(wanted),
    )
    .sort(
      (a, b) =>
        healthWorstFirst.indexOf(a.state) - healthWorstFirst.indexOf(b.state) || a.name.localeCompare(b.name),
    );
}

type PodCommands = {
  readonly pods: readonly Pod[];
  readonly rail: React.RefObject<RowMoves<Pod> | null>;
  readonly input: React.RefObject<HTMLInputElement | null>;
  readonly open: (pod: Pod) => void;
  /** True while a log is open: `/`, `j` and `k` are its own then. */
  readonly reading: boolean;
};

function usePodCommands({ pods, rail, input, open, reading }: PodCommands): void {
  const commands = useMemo<readonly Command[]>(
    () => [
      ...(reading
        ? []
        : listCommands({
            filter: { title: 'Filter the pods', focus: () => input.current?.focus() },
            move: (step) => rail.current?.move(step),
            of: 'pod',
          })),
      ...pods.slice(0, mostInPalette).map<Command>((pod) => ({
        id: `log.${pod.namespace}/${pod.name}`,
        group: 'Records',
        title: pod.name,
        detail: `log, ${pod.status}`,
        icon: IconFileText,
        run: () => open(pod),
      })),
    ],
    [pods, rail, input, open, reading],
  );
  useCommands(commands);
}
