import { placeIn } from '#shared/page-address.ts';
import { Glyph } from '../../components/glyph.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import css from './ask.module.css';
import { ConfirmAct } from './confirm-act.tsx';
import type { Entry } from './history.ts';

type AskEntryProps = { readonly entry: Entry; readonly onSay: (message: string) => void };

/** Places that are listed under an answer. */
const mostPlaces = 8;

/** One question and its answer. The text is plain: nothing in it is drawn as a link, an image or HTML. */
export function AskEntry({ entry, onSay }: AskEntryProps) {
  const { question, state, text, by, tool, places, notRead, confirm, at } = entry;
  const summary = confirm === undefined ? text : confirm.summary;
  return (
    <article className={css.entry} aria-label={question}>
      <h2 className={css.question}>{question}</h2>
      {state === 'reading' && text === '' && <p className={css.quiet}>Reading…</p>}
      {summary !== '' && (
        <p className={css.answer} data-failed={state === 'failed'}>
          {state === 'failed' && <Glyph state="failing" />} {summary}
        </p>
      )}
      {confirm !== undefined && <ConfirmAct proposal={confirm} onSay={onSay} />}
      {places.length > 0 && (
        <ul className={css.places} aria-label="Where this stands">
          {places.slice(0, mostPlaces).map((place) => (
            <li key={`${place.number ?? ''} ${place.address} ${place.label}`}>
              {place.number !== undefined && <span className={css.number}>[{place.number}]</span>}
              <PageLink to={placeIn(place.address)}>{place.label}</PageLink>
              {place.quote !== '' && <q className={css.quote}>{place.quote}</q>}
            </li>
          ))}
        </ul>
      )}
      {notRead.length > 0 && (
        <details className={css.gaps}>
          <summary>Not read: {notRead.length}</summary>
          <ul>
            {notRead.map((gap) => (
              <li key={gap}>{gap}</li>
            ))}
          </ul>
        </details>
      )}
      {state === 'answered' && (
        <p className={css.foot}>
          {tool !== undefined && <Tag>{tool}</Tag>}
          {by !== '' && <span>by {by}</span>}
          <TimeAgo at={at} fromNow />
        </p>
      )}
    </article>
  );
}
