import { actOfCommand } from '#shared/acts/act-of-command.ts';
import type { FixStep } from '#shared/api/symptoms.ts';
import { PreviewAct } from '../../components/acts/preview-act.tsx';
import { CommandBlock } from '../../components/command-block.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { inContext } from '../../core/kubectl.ts';
import css from './finding-reading.module.css';

type FixStepsProps = {
  readonly fix: readonly FixStep[];
  /** Fills in the placeholders of a catalogue text. */
  readonly fill?: (text: string) => string;
  /** The kubectl context that commands are for; undefined leaves it to kubectl. */
  readonly context?: string | undefined;
  /** The live target that steps can be carried out in; undefined offers none. */
  readonly target?: string | undefined;
  /** Called when a step was carried out. */
  readonly onDone?: () => void;
};

/** Lists the steps of the fix, each command with a copy button. */
export function FixSteps({ fix, fill: label = (text) => text, context, target, onDone }: FixStepsProps) {
  return (
    <ol className={css.steps}>
      {fix.map(({ text, command }, index) => (
        <li key={`${index} ${text}`} className={css.step} data-step={index + 1}>
          <p>
            <WithCode>{label(text)}</WithCode>
          </p>
          {command !== undefined && (
            <div>
              <CommandBlock command={inContext(label(command), context)} />
              {target !== undefined && (
                <StepAct command={label(command)} target={target} {...(onDone !== undefined && { onDone })} />
              )}
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

type StepActProps = {
  readonly command: string;
  readonly target: string;
  readonly onDone?: () => void;
};

/** Offers a step that is an act of the console: previewed, confirmed, and carried out here. */
function StepAct({ command, target, onDone }: StepActProps) {
  const act = actOfCommand(command);
  if (act === undefined) return null;
  return (
    <p className={css.act}>
      <PreviewAct asked={{ target, ...act }} {...(onDone !== undefined && { onDone })} />
    </p>
  );
}

/** Presses the copy button of a step's command, so that it says there how that went. */
export function copyStep(within: ParentNode | null, step: number): void {
  within?.querySelector<HTMLElement>(`li[data-step="${step}"] button`)?.click();
}
