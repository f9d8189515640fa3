import type { Delivery } from '#shared/api/delivery.ts';
import { shortSha } from '../../components/commit-id.tsx';
import { Spoken } from '../../components/spoken.tsx';
import { IconArrowNarrowRight } from '../../core/icons/icons.ts';
import css from './revision.module.css';

/** Shows the revision delivered, and the target revision if it differs. */
export function Revision({ revision, target_revision }: Pick<Delivery, 'revision' | 'target_revision'>) {
  const target = <code title={target_revision}>{shortSha(target_revision)}</code>;
  if (revision === target_revision) return target;
  return (
    <span className={css.change}>
      {revision === undefined ? (
        <span className={css.none} title="None of the runs that were read succeeded.">
          none read
        </span>
      ) : (
        <code className={css.before} title={revision}>
          {shortSha(revision)}
        </code>
      )}
      <IconArrowNarrowRight size={14} stroke={2} aria-hidden />
      <Spoken>, should be </Spoken>
      {target}
    </span>
  );
}
