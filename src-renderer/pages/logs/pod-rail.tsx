import { type Ref, type RefObject, useRef } from 'react';
import type { Pod } from '#shared/api/cluster.ts';
import { ChoiceChip } from '../../components/choice-chip.tsx';
import { formatCount } from '../../components/format-quantity.ts';
import { Glyph } from '../../components/glyph.tsx';
import { healthStates } from '../../components/health-states.ts';
import { useOneStop } from '../../components/list/use-one-stop.ts';
import { Spoken } from '../../components/spoken.tsx';
import { type RowMoves, useEntries, useVirtualRows } from '../../components/table/use-virtual-rows.ts';
import { TextFilter } from '../../components/text-filter.tsx';
import { openedByPlainClick } from '../../core/plain-click.ts';
import css from './pod-rail.module.css';

/** Row height in pixels; must match the style sheet. */
const rowHeight = 44;

type PodRailProps = {
  readonly ref: Ref<RowMoves<Pod>>;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly namespace: string;
  readonly namespaces: readonly string[];
  /** Workloads whose logs can be read together, as `Deployment/web`, and the one whose are. */
  readonly workloads: readonly string[];
  readonly workload: string | undefined;
  /** The label selector whose pods' logs are read together. */
  readonly selector: string | undefined;
  readonly q: string;
  /** Worst first. */
  readonly pods: readonly Pod[];
  /** Number of pods without the filter. */
  readonly total: number;
  readonly open: string | undefined;
  readonly addressOf: (pod: Pod) => string;
  readonly onOpen: (pod: Pod) => void;
  readonly onNamespace: (namespace: string | undefined) => void;
  readonly onWorkload: (workload: string | undefined) => void;
  readonly onSelector: (selector: string) => void;
  readonly onFilter: (q: string) => void;
};

/** The pods whose logs can be read, of one namespace, the worst first. */
export function PodRail(props: PodRailProps) {
  const { ref, input, namespace, namespaces, q, pods, total, open, addressOf, onOpen } = props;
  const selectorInput = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const { first, last } = useVirtualRows({
    ref,
    scroller,
    entries: useEntries(pods),
    keyOf: ({ name }) => name,
    open,
    rowHeight,
    headHeight: 0,
  });
  useOneStop(scroller);
  return (
    <nav className={css.rail} aria-label="Pods">
      <search className={css.filter} aria-label="Filter the pods">
        <ChoiceChip
          name="Namespace"
          everything={namespace}
          value={namespace}
          choices={namespaces}
          onChange={props.onNamespace}
        />
        <ChoiceChip
          name="Workload"
          everything="one pod"
          value={props.workload}
          choices={props.workloads}
          onChange={props.onWorkload}
        />
        <TextFilter
          ref={selectorInput}
          label="Label selector"
          keyed={false}
          value={props.selector ?? ''}
          onChange={props.onSelector}
        />
        <TextFilter ref={input} label="Filter pods" value={q} onChange={props.onFilter} />
      </search>
      <p className={css.count} role="status">
        {pods.length === total ? formatCount(total, 'pod') : `${pods.length} of ${formatCount(total, 'pod')}`}
        , worst first
      </p>
      <div ref={scroller} className={css.scroller}>
        <ul style={{ paddingTop: first * rowHeight, paddingBottom: (pods.length - last) * rowHeight }}>
          {pods.slice(first, last).map((pod) => (
            <li key={pod.name}>
              <a
                className={css.row}
                href={addressOf(pod)}
                data-key={pod.name}
                aria-current={pod.name === open ? 'true' : undefined}
                onClick={(event) => {
                  if (openedByPlainClick(event)) onOpen(pod);
                }}
              >
                <Glyph state={healthStates[pod.state].state} />
                <span className={css.name} title={pod.name}>
                  {pod.name}
                </span>
                <span className={css.sub}>
                  <Spoken>{`${healthStates[pod.state].label}: `}</Spoken>
                  {pod.status}
                  {pod.restarts > 0 && `, ${formatCount(pod.restarts, 'restart')}`}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}
