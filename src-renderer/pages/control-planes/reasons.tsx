import type { ControlPlane } from '#shared/api/cluster.ts';
import { asSentence } from '../../components/list/sentence.ts';
import { WithCode } from '../../components/with-code.tsx';
import css from './control-planes-page.module.css';

/** Lists the reasons for the state, worst first, if there are several; the header shows a single one. */
export function Reasons({ plane: { reasons = [] } }: { readonly plane: ControlPlane }) {
  if (reasons.length < 2) return null;
  return (
    <ul className={css.reasons} aria-label="Reasons, worst first">
      {reasons.map((reason) => (
        <li key={reason}>
          <WithCode>{asSentence(reason)}</WithCode>
        </li>
      ))}
    </ul>
  );
}
