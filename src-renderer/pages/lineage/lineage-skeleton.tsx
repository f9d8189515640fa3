import { Bone } from '../../components/skeleton.tsx';
import css from './lineage-skeleton.module.css';

/** The shape of the page: the box, six columns and some lines. */
export function LineageSkeleton() {
  return (
    <div className={css.board} aria-hidden="true">
      <div className={css.panel}>
        <Bone width={260} />
      </div>
      <div className={css.graph}>
        {[0, 1, 2, 3, 4, 5].map((column) => (
          <span key={column} className={css.node}>
            <Bone width="70%" />
          </span>
        ))}
      </div>
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className={css.row}>
          <Bone width={160 - ((row * 23) % 60)} />
        </div>
      ))}
    </div>
  );
}
