import type { AllowlistItem } from '#shared/api/access.ts';
import { State } from '../../components/state.tsx';
import { useSession } from '../../core/session.tsx';
import css from './allowlist-table.module.css';
import { membershipWords, setWords, unsetWords } from './allowlist-words.ts';

/** Every allowlist: what it guards, whether the person may, how it is set, and the rule while it is not. */
export function AllowlistTable({ lists }: { readonly lists: readonly AllowlistItem[] }) {
  const { me } = useSession();
  return (
    <table className={css.table} aria-label="Allowlists">
      <thead>
        <tr>
          <th>List</th>
          <th>Guards</th>
          <th>You</th>
          <th>Set</th>
          <th>While unset</th>
        </tr>
      </thead>
      <tbody>
        {lists.map((list) => (
          <tr key={list.name}>
            <td>
              <code>{list.name}</code>
            </td>
            <td className={css.guards}>{list.guards}</td>
            <td>
              <State {...membershipWords(list, me.authed)} />
            </td>
            <td className={css.fact}>{setWords(list)}</td>
            <td className={css.fact}>{unsetWords(list)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
