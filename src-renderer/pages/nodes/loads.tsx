import { Fragment } from 'react';
import type { NodeRow } from '#shared/api/cluster.ts';
import { Part } from '../../components/facts.tsx';
import { formatBytes, formatCores, formatNumber } from '../../components/format-quantity.ts';
import { ShareBar } from '../../components/share-bar.tsx';
import { NotReadCell } from '../../components/table/not-read-cell.tsx';
import { bounded, fullFrom, type Load, loadOf } from './node-load.ts';
import css from './nodes-page.module.css';

/** Shows the requested share of a node's allocatable resources, one by one. */
export function Loads({ row }: { readonly row: NodeRow }) {
  const { allocatable, pods } = row;
  const podLoad: Load | undefined =
    pods === undefined || allocatable.pods === undefined || allocatable.pods === 0
      ? undefined
      : { requested: pods, allocatable: allocatable.pods, share: pods / allocatable.pods };
  const loads = [
    { name: 'CPU', load: loadOf(row, 'cpu_cores'), words: formatCores },
    { name: 'Memory', load: loadOf(row, 'memory_bytes'), words: formatBytes },
    ...((allocatable.gpus ?? 0) > 0
      ? [{ name: 'GPUs', load: loadOf(row, 'gpus'), words: formatNumber }]
      : []),
    { name: 'Pods', load: podLoad, words: formatNumber },
  ];
  return (
    <Part title="Requested" sub="of allocatable">
      <dl className={css.loads}>
        {loads.map(({ name, load, words: label }) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              {load === undefined ? (
                <NotReadCell width={64} />
              ) : (
                <ShareBar share={load.share} strained={load.share >= fullFrom} />
              )}
            </dd>
            <dd className={css.used}>
              {load === undefined
                ? 'not read'
                : bounded(row, `${label(load.requested)} of ${label(load.allocatable)}`)}
            </dd>
          </Fragment>
        ))}
      </dl>
    </Part>
  );
}
