import type { Pod } from '#shared/api/cluster.ts';
import { CopyIcon } from '../copy-icon.tsx';
import { formatCount } from '../format-quantity.ts';
import { Glyph } from '../glyph.tsx';
import { Tag } from '../tag.tsx';
import { TimeAgo } from '../time-ago.tsx';
import css from './pod-rows.module.css';

type Container = Pod['containers'][number];

/** Lists a pod's containers, each with its image and state. */
export function PodContainers({ containers }: { readonly containers: readonly Container[] }) {
  return (
    <ul className={css.containers}>
      {containers.map((container) => (
        <li key={container.name}>
          <span className={css.containerHead}>
            <Glyph state={looks(container)} />
            <b>{container.name}</b>
            {container.kind !== 'container' && <Tag>{container.kind}</Tag>}
            <span className={css.containerStatus}>{container.status}</span>
          </span>
          <span className={css.image}>
            <code title={container.image}>{container.image}</code>
            <CopyIcon text={() => container.image} label={`Copy the image of ${container.name}`} />
          </span>
          {(container.restarts > 0 || container.last_ended !== undefined) && (
            <span className={css.ended}>
              {formatCount(container.restarts, 'restart')}
              {container.last_ended !== undefined && `, last ended: ${container.last_ended}`}
              {container.last_ended_at !== undefined && (
                <>
                  {' '}
                  <TimeAgo at={Date.parse(container.last_ended_at)} />
                </>
              )}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** An init container that has ended is not ready and as it should be. */
function looks({ ready, kind, status }: Container) {
  if (ready) return 'healthy';
  return kind === 'init' && status === 'Completed' ? 'healthy' : 'degraded';
}
