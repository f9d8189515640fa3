import { Button } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { longestText, type TextReport } from '#shared/api/troubleshoot.ts';
import { Banner } from '../../components/banner.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { formatCount } from '../../components/format-quantity.ts';
import { Glyph } from '../../components/glyph.tsx';
import { sentenceOf } from '../../core/failure.ts';
import css from './paste-dialog.module.css';
import type { TextExplanation } from './use-text-explanation.ts';

type PasteDialogProps = {
  readonly explanation: TextExplanation;
  readonly onExplained: (found: TextReport) => void;
  readonly onClose: () => void;
};

/** Takes a log or a message to be explained. It goes to the console's own machine and is kept nowhere. */
export function PasteDialog({ explanation, onExplained, onClose }: PasteDialogProps) {
  const [text, setText] = useState('');
  const fieldId = useId();
  const { explain, explaining, error, dismiss } = explanation;
  const over = text.length - longestText;
  const leave = () => {
    dismiss();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && over <= 0) explain(text, onExplained);
  };
  return (
    <Dialog title="Explain a text" width={680} onClose={leave}>
      <form className={css.form} onSubmit={submit}>
        <label htmlFor={fieldId}>
          A log, an error message or the output of <code>kubectl describe</code>. It is checked once and not
          stored.
        </label>
        <textarea
          id={fieldId}
          className={css.text}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          rows={14}
          spellCheck={false}
          autoComplete="off"
          data-autofocus
        />
        {over > 0 && (
          <Banner
            look="failing"
            urgent
            icon={<Glyph state="failing" />}
            title={`The text is ${formatCount(over, 'character')} too long.`}
          >
            At most {longestText.toLocaleString('en')} are checked. Paste the part around the failure, or give
            the whole log to <code>operator-console diagnose --text</code>.
          </Banner>
        )}
        {error !== null && (
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title="The text was not explained.">
            {sentenceOf(error)}
          </Banner>
        )}
        <div className={css.actions}>
          <Button onClick={leave}>Cancel</Button>
          <Button
            type="submit"
            variant="filled"
            disabled={text.trim() === '' || over > 0}
            loading={explaining}
          >
            Explain
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
