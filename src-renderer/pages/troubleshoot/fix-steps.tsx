import type { FixStep } from '#shared/api/symptoms.ts';
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
};

/** Lists the steps of the fix, each command with a copy button. */
export function FixSteps({ fix, fill: label = (text) => text, context }: FixStepsProps) {
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
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Presses the copy button of a step's command, so that it says there how that went. */
export function copyStep(within: ParentNode | null, step: number): void {
  within?.querySelector<HTMLElement>(`li[data-step="${step}"] button`)?.click();
}
