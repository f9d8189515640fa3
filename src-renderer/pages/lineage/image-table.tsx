import { type ReactNode, type Ref, useMemo } from 'react';
import type { LineageImage, LineageStep, StepState } from '#shared/api/delivery.ts';
import { lineageSteps } from '#shared/api/delivery.ts';
import { counted } from '#shared/text.ts';
import { shortSha } from '../../components/commit-id.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { NotReadNote } from '../../components/not-read-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Spoken } from '../../components/spoken.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import type { RowMoves } from '../../components/table/use-virtual-rows.ts';
import { edgeState } from './graph-layout.ts';
import css from './image-table.module.css';
import { imageName, imageState, shortTag, stepStates, stepTitles, type UnreadEnd } from './lineage-labels.ts';

type ImageTableProps = {
  readonly ref: Ref<RowMoves<LineageImage>>;
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
  const columns = useMemo(() => imageColumns(end), [end]);
  const count = counted(images.length, 'image');
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
      <PanelTable
        id="images"
        label="Images"
        ref={ref}
        columns={columns}
        rows={images}
        keyOf={keyOf}
        open={chosen}
        addressOf={addressOf}
        onOpen={onChoose}
      />
    </Panel>
  );
}

const keyOf = ({ image }: LineageImage): string => image;

/** Step states, the gravest first, as they are sorted. */
const gravestFirst: readonly StepState[] = ['failed', 'not_read', 'moving', 'not_reached', 'done'];

function imageColumns(end: UnreadEnd | undefined): readonly TableColumn<LineageImage>[] {
  const steps = lineageSteps.filter((step) => !end?.steps.includes(step));
  const stepsOf = (image: LineageImage) => image.steps.filter(({ step }) => !end?.steps.includes(step));
  return [
    {
      id: 'image',
      title: 'Image',
      link: true,
      width: (view) => Math.max(190, Math.round(view * 0.24)),
      value: ({ image }) => imageName(image),
      hover: ({ image }) => image,
      beside: ({ tag, sha }) => (
        <code className={css.tag} title={tag ?? sha}>
          {tag === undefined ? shortSha(sha) : shortTag(tag)}
        </code>
      ),
    },
    ...steps.map((name) => {
      const at = (image: LineageImage) => stepsOf(image).findIndex(({ step }) => step === name);
      return {
        id: name,
        title: stepTitles[name],
        width: (view: number) => (view >= 900 ? Math.round((view * 0.45) / steps.length) : 64),
        value: (image: LineageImage) => {
          const step = stepsOf(image)[at(image)];
          return step === undefined ? undefined : stepStates[step.state].label;
        },
        rank: (image: LineageImage) => gravestFirst.indexOf(stepsOf(image)[at(image)]?.state ?? 'done'),
        hover: (image: LineageImage) => {
          const step = stepsOf(image)[at(image)];
          return step === undefined ? undefined : `${stepStates[step.state].label}: ${step.detail}`;
        },
        cell: (image: LineageImage) => {
          const shown = stepsOf(image);
          const index = at(image);
          const step = shown[index];
          return step !== undefined && <StepCell step={step} next={shown[index + 1]} />;
        },
      };
    }),
    {
      id: 'where',
      title: 'Where it is',
      quiet: true,
      value: ({ where }) => where,
      hover: ({ where }) => where,
      cell: (image) => (
        <span className={css.where} data-state={imageState(image, end)}>
          {image.where}
        </span>
      ),
    },
  ];
}

type StepCellProps = { readonly step: LineageStep; readonly next: LineageStep | undefined };

function StepCell({ step, next }: StepCellProps) {
  return (
    <span className={css.step}>
      <StepSign state={step.state} />
      <Spoken>{stepStates[step.state].label}</Spoken>
      {next !== undefined && (
        <i className={css.line} data-state={edgeState(step.state, next.state)} aria-hidden="true" />
      )}
    </span>
  );
}

function StepSign({ state }: { readonly state: StepState }) {
  return state === 'not_reached' ? (
    <span className={css.dot} aria-hidden="true" />
  ) : (
    <Glyph state={stepStates[state].state} />
  );
}
