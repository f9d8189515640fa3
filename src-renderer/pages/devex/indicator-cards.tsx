import { Tooltip, UnstyledButton } from '@mantine/core';
import { IconInfoCircle } from '../../core/icons/icons.ts';
import type { DevexAnswer } from './devex-queries.ts';
import css from './indicator-cards.module.css';
import { formatCounted, indicators } from './indicator-labels.ts';

/** The five indicators with their samples; one with too small a sample says how many are missing. */
export function IndicatorCards({ answer }: { readonly answer: DevexAnswer }) {
  return (
    <ul className={css.cards}>
      {indicators.map(({ name, title, short, measured, counted, value }) => {
        const shown = value(answer);
        const sample = answer.samples[name];
        return (
          <li key={name} className={css.card} data-measured={shown !== undefined}>
            <h2 className={css.title}>
              {title}
              <Tooltip label={measured} multiline maw={320} openDelay={0}>
                <UnstyledButton
                  className={css.info}
                  aria-label={`What ${title.toLowerCase()} is: ${measured}`}
                >
                  <IconInfoCircle size={14} stroke={2} aria-hidden />
                </UnstyledButton>
              </Tooltip>
            </h2>
            {shown === undefined ? (
              <Missing sample={sample} needed={answer.smallest_sample} counted={counted} />
            ) : (
              <>
                <p className={css.value}>
                  <b>{shown.value}</b> {shown.unit}
                </p>
                <p className={css.short}>{short}</p>
                <p className={css.sample}>
                  from {formatCounted(sample, counted)}
                  {shown.beside !== undefined && <span className={css.beside}>{shown.beside}</span>}
                </p>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

type MissingProps = {
  readonly sample: number;
  readonly needed: number;
  readonly counted: readonly [one: string, several: string];
};

/** Shown instead of a value that has too few observations. */
function Missing({ sample, needed, counted }: MissingProps) {
  const missing = needed - sample;
  return (
    <>
      <p className={css.missing}>
        <span className={css.dots} aria-hidden="true">
          {Array.from({ length: needed }, (_, index) => (
            <i key={index} data-there={index < sample} />
          ))}
        </span>
        {missing} more needed
      </p>
      <p className={css.short}>Not enough data yet</p>
      <p className={css.sample}>
        {sample === 0 ? 'none' : sample} of {formatCounted(needed, counted)}
      </p>
    </>
  );
}
