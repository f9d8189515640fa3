import { chatsNotSearched } from '#shared/api/search.ts';
import { Glyph } from '../../components/glyph.tsx';
import css from './not-searched.module.css';
import type { Search } from './use-search.ts';

/** Reasons that are written out, a line each. */
const mostReasons = 3;

/** Says why the console could not be searched, or what it did not search. */
export function NotSearched({ search: { answer, failure } }: { readonly search: Search }) {
  if (failure !== undefined)
    return (
      <p className={css.failure} role="alert">
        <Glyph state="failing" />
        <span>{failure} Pages and actions still work.</span>
      </p>
    );
  // Chats are commands of the window.
  const reasons = (answer?.unmeasured ?? []).filter((reason) => reason !== chatsNotSearched);
  if (reasons.length === 0) return null;
  return (
    <section className={css.reasons} aria-label="Not searched">
      <h3>Not searched</h3>
      <ul>
        {reasons.slice(0, mostReasons).map((reason) => (
          <li key={reason} title={reason}>
            {reason}
          </li>
        ))}
        {reasons.length > mostReasons && (
          <li title={reasons.slice(mostReasons).join('\n')}>and {reasons.length - mostReasons} more</li>
        )}
      </ul>
    </section>
  );
}
