import type { AllowlistItem } from '#shared/api/access.ts';
import { State } from '../../components/state.tsx';
import { useSession } from '../../core/session.tsx';
import { membershipLabel, setLabel, unsetLabel } from './allowlist-labels.ts';
import css from './allowlist-table.module.css';

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
              <State {...membershipLabel(list, me.authed)} />
            </td>
            <td className={css.fact}>{setLabel(list)}</td>
            <td className={css.fact}>{unsetLabel(list)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
