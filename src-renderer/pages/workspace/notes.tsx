import { placeIn } from '#shared/page-address.ts';
import { counted } from '#shared/text.ts';
import { PageLink } from '../../components/page-link.tsx';
import { Panel } from '../../components/panel.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import type { WorkspaceItem } from '../../core/workspace-queries.ts';
import { ItemTools } from './item-tools.tsx';
import { pageOf } from './page-of.ts';
import css from './workspace-page.module.css';

type NotesProps = { readonly notes: readonly (WorkspaceItem & { readonly own: boolean })[] };

/** The notes, each in full. */
export function Notes({ notes }: NotesProps) {
  return (
    <Panel title="Notes" sub={counted(notes.length, 'note')}>
      {notes.length === 0 ? (
        <p className={css.none}>
          <Tag>None yet</Tag> A note is a text for later, for you or for everyone: press <b>Add note</b>.
        </p>
      ) : (
        <ul className={css.notes}>
          {notes.map((note) => (
            <li key={note.id} className={css.note}>
              <div className={css.noteHead}>
                <h3 className={css.noteTitle}>{note.title}</h3>
                {note.shared && <Tag>{note.own ? 'shared' : `by ${note.owner}`}</Tag>}
                <span className={css.quiet}>
                  <TimeAgo at={note.changedAt} fromNow />
                </span>
                {note.own && <ItemTools item={note} />}
              </div>
              {note.text !== '' && <p className={css.noteText}>{note.text}</p>}
              {note.address !== '' && (
                <p className={css.quiet}>
                  About <PageLink to={placeIn(note.address)}>{pageOf(note) ?? note.address}</PageLink>
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
