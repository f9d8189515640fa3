import { Bone } from '../../components/skeleton.tsx';
import css from './devex-skeleton.module.css';

/** The shape of the page: five cards and two charts. */
export function DevexSkeleton() {
  return (
    <div className={css.board} aria-hidden="true">
      <div className={css.cards}>
        {[0, 1, 2, 3, 4].map((card) => (
          <div key={card} className={css.card}>
            <Bone width="60%" />
            <Bone width="35%" />
            <Bone width="80%" />
          </div>
        ))}
      </div>
      <div className={css.chart} />
      <div className={css.chart} />
    </div>
  );
}
