import type { Evidence } from '#shared/api/troubleshoot.ts';
import type { PageAddress } from '#shared/page-address.ts';
import { IconFileText, IconListSearch } from '../core/icons/icons.ts';
import { CopyIcon } from './copy-icon.tsx';
import css from './evidence-block.module.css';
import { type EvidenceLine, evidenceLines } from './evidence-lines.ts';
import { formatCount } from './format-quantity.ts';
import markCss from './marked.module.css';
import { PageLink } from './page-link.tsx';
import { Spoken } from './spoken.tsx';
import { TimeAgo } from './time-ago.tsx';

type EvidenceBlockProps = {
  readonly evidence: Evidence;
  /** Link to the page that shows the origin of the evidence. */
  readonly link: { readonly to: PageAddress; readonly label: string } | undefined;
};

/** Shows a piece of evidence: its origin, the matched line and the lines around it. */
export function EvidenceBlock({ evidence, link }: EvidenceBlockProps) {
  const { kind, ref, line, times, at } = evidence;
  const where = line === undefined ? ref : `${ref}:${line}`;
  const lines = evidenceLines(evidence);
  const Icon = kind === 'log' || kind === 'text' ? IconFileText : IconListSearch;
  return (
    <figure className={css.block} aria-label={`Evidence in ${where}`}>
      <figcaption className={css.head}>
        <Icon size={14} stroke={2} aria-hidden />
        <code className={css.where} title={where}>
          {where}
        </code>
        <span className={css.facts}>
          {times !== undefined && times > 1 && formatCount(times, 'time')}
          {times !== undefined && times > 1 && at !== undefined && ', last '}
          {at !== undefined && <TimeAgo at={Date.parse(at)} />}
          {link !== undefined && (
            <span className={css.way}>
              <PageLink to={link.to}>
                {link.label}
                <Spoken>{` of ${where}`}</Spoken>
              </PageLink>
            </span>
          )}
        </span>
        <CopyIcon
          text={() => lines.map(({ text }) => text).join('\n')}
          label="Copy the evidence with its context"
        />
      </figcaption>
      <ol className={css.lines} data-numbered={line !== undefined}>
        {lines.map((each, index) => (
          <Line key={index} line={each} />
        ))}
      </ol>
    </figure>
  );
}

function Line({ line: { number, text, hit, match } }: { readonly line: EvidenceLine }) {
  return (
    <li className={css.line} data-hit={hit}>
      {number !== undefined && <span className={css.number}>{number}</span>}
      <code className={css.text}>
        {match === undefined ? (
          text
        ) : (
          <>
            {text.slice(0, match[0])}
            <mark className={markCss.mark}>{text.slice(match[0], match[1])}</mark>
            {text.slice(match[1])}
          </>
        )}
      </code>
    </li>
  );
}
