import type { ReactNode } from 'react';
import type { ActPreview } from '#shared/api/acts.ts';
import { Banner } from '../banner.tsx';
import { Glyph } from '../glyph.tsx';
import css from './act-dialog.module.css';

/** What an act would change, as the API server says: the fields, who else sets them, and what follows. */
export function PreviewedAct({ preview }: { readonly preview: ActPreview }) {
  const { sentence, allowed, reason, diff, owners, effects, warnings, judged_by: by, undo } = preview;
  return (
    <div className={css.preview}>
      <p className={css.sentence}>{sentence}</p>
      {!allowed && reason !== undefined && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="It cannot be done.">
          {reason}
        </Banner>
      )}
      {diff.length > 0 && (
        <section className={css.part} aria-label="Changes">
          <h3>Changes {by === 'console' && <span>(not asked of the API server)</span>}</h3>
          <ul className={css.diff}>
            {diff.map(({ path, before, after }) => (
              <li key={path}>
                <code className={css.path}>{path}</code>
                {before !== undefined && (
                  <code className={css.before}>
                    <span aria-hidden>− </span>
                    {before}
                  </code>
                )}
                {after !== undefined && (
                  <code className={css.after}>
                    <span aria-hidden>+ </span>
                    {after}
                  </code>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {owners.length > 0 && (
        <section className={css.part} aria-label="Who else sets this">
          <h3>Who else sets this</h3>
          <ul className={css.lines}>
            {owners.map(({ kind, name, effect, sentence: text, href }) => (
              <Line key={`${kind} ${name}`} state={effect === 'owns' ? 'idle' : 'degraded'}>
                {text} {href !== undefined && <a href={href}>Open {name}</a>}
              </Line>
            ))}
          </ul>
        </section>
      )}
      {(effects.length > 0 || warnings.length > 0) && (
        <section className={css.part} aria-label="Effect">
          <h3>Effect</h3>
          <ul className={css.lines}>
            {effects.map((text) => (
              <Line key={text} state="idle">
                {text}
              </Line>
            ))}
            {warnings.map((text) => (
              <Line key={text} state="degraded">
                {text}
              </Line>
            ))}
          </ul>
        </section>
      )}
      <p className={css.note}>
        {undo === undefined ? 'This cannot be undone here.' : `Undo: ${undo.sentence}`}
      </p>
    </div>
  );
}

type LineProps = { readonly state: 'idle' | 'degraded'; readonly children: ReactNode };

function Line({ state, children }: LineProps) {
  return (
    <li>
      <Glyph state={state} />
      <span>{children}</span>
    </li>
  );
}
