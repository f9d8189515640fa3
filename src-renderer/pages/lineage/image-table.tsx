import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react';
import type { LineageImage, LineageStep, StepState } from '#shared/api/delivery.ts';
import { lineageSteps } from '#shared/api/delivery.ts';
import { shortSha } from '../../components/commit-id.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { NotReadNote } from '../../components/not-read-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Spoken } from '../../components/spoken.tsx';
import { movedIndex } from '../../core/keys.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { edgeState } from './graph-layout.ts';
import css from './image-table.module.css';
import { imageName, imageState, shortTag, stepStates, stepTitles, type UnreadEnd } from './lineage-labels.ts';

/** Moves in the table from outside it. */
export type ImageMoves = {
  /** Moves the focus by a row and tells the image it came to. */
  move(step: 1 | -1): LineageImage | undefined;
};

type ImageTableProps = {
  readonly ref: Ref<ImageMoves>;
  readonly images: readonly LineageImage[];
  readonly end: UnreadEnd | undefined;
  /** The choice of one repository. */
  readonly repo: ReactNode;
  readonly chosen: string | undefined;
  readonly addressOf: (image: string) => string;
  readonly onChoose: (image: string) => void;
};

/** Every image's way folded into one line. A row shows its graph above. */
export function ImageTable({ ref, images, end, repo, chosen, addressOf, onChoose }: ImageTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  useImperativeHandle(ref, () => ({
    move(step) {
      const to = movedIndex(
        images.findIndex(({ image }) => image === chosen),
        step,
        images.length,
      );
      body.current?.querySelectorAll('a')[to]?.focus();
      return images[to];
    },
  }));
  const columns = lineageSteps.filter((step) => !end?.steps.includes(step));
  const count = `${images.length} ${images.length === 1 ? 'image' : 'images'}`;
  return (
    <Panel
      title="Newest commit of each image"
      sub={count}
      tools={
        <>
          {end !== undefined && <NotReadNote label={end.label} reason={end.reason} />}
          {repo}
        </>
      }
    >
      <table className={css.table} aria-label="Images">
        <thead>
          <tr>
            <th className={css.image}>Image</th>
            {columns.map((step) => (
              <th key={step}>{stepTitles[step]}</th>
            ))}
            <th className={css.where}>Where it is</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {images.map((image) => (
            <tr
              key={image.image}
              className={css.row}
              data-open={image.image === chosen}
              onClick={() => onChoose(image.image)}
            >
              <td>
                <a
                  className={css.link}
                  href={addressOf(image.image)}
                  title={image.image}
                  aria-current={image.image === chosen ? 'true' : undefined}
                  onClick={(event) => {
                    event.stopPropagation();
                    if (openedByPlainClick(event)) onChoose(image.image);
                  }}
                >
                  {imageName(image.image)}
                </a>
                <code className={css.tag} title={image.tag ?? image.sha}>
                  {image.tag === undefined ? shortSha(image.sha) : shortTag(image.tag)}
                </code>
              </td>
              {image.steps
                .filter(({ step }) => !end?.steps.includes(step))
                .map((step, index, all) => (
                  <StepCell key={step.step} step={step} next={all[index + 1]} />
                ))}
              <td className={css.where} data-state={imageState(image, end)} title={image.where}>
                {image.where}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

type StepCellProps = { readonly step: LineageStep; readonly next: LineageStep | undefined };

function StepCell({ step, next }: StepCellProps) {
  const { label } = stepStates[step.state];
  return (
    <td title={`${label}: ${step.detail}`}>
      <span className={css.step}>
        <StepSign state={step.state} />
        <Spoken>{label}</Spoken>
        {next !== undefined && (
          <i className={css.line} data-state={edgeState(step.state, next.state)} aria-hidden="true" />
        )}
      </span>
    </td>
  );
}

function StepSign({ state }: { readonly state: StepState }) {
  return state === 'not_reached' ? (
    <span className={css.dot} aria-hidden="true" />
  ) : (
    <Glyph state={stepStates[state].state} />
  );
}
