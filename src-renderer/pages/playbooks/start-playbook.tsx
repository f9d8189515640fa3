import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { InputType, type Playbook, PlaybookService } from '#shared/gen/platform/v1/playbook_pb.js';
import { Banner } from '../../components/banner.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { consoleRpc } from '../../core/rpc.ts';
import { useCurrentTarget, useTargets } from '../../core/target-queries.ts';
import { runsQuery } from './playbook-queries.ts';
import css from './playbooks.module.css';

type Inputs = Readonly<Record<string, string>>;

/** Returns the inputs of a playbook as a form begins with them. */
export const firstInputs = ({ inputs }: Pick<Playbook, 'inputs'>): Inputs =>
  Object.fromEntries(inputs.map((input) => [input.name, input.default]));

type InputFieldsProps = {
  readonly playbook: Pick<Playbook, 'inputs'>;
  readonly values: Inputs;
  readonly onChange: (values: Inputs) => void;
};

/** The fields of a playbook's inputs. */
export function InputFields({ playbook, values, onChange }: InputFieldsProps) {
  return playbook.inputs.map(({ name, title, type, required }) => {
    const value = values[name] ?? '';
    const set = (next: string) => onChange({ ...values, [name]: next });
    if (type === InputType.BOOLEAN)
      return (
        <Checkbox
          key={name}
          label={title}
          checked={value === 'true'}
          onChange={(event) => set(String(event.currentTarget.checked))}
        />
      );
    return (
      <TextInput
        key={name}
        label={title}
        value={value}
        required={required}
        autoComplete="off"
        spellCheck={false}
        inputMode={type === InputType.NUMBER ? 'decimal' : 'text'}
        onChange={(event) => set(event.currentTarget.value)}
      />
    );
  });
}

type StartPlaybookProps = {
  readonly playbook: Playbook;
  readonly onClose: () => void;
  readonly onRun: (id: string) => void;
};

/** Asks for a playbook's inputs and target, and starts it. */
export function StartPlaybook({ playbook, onClose, onRun }: StartPlaybookProps) {
  const client = useQueryClient();
  const targets = useTargets();
  const { id: current } = useCurrentTarget();
  const [values, setValues] = useState(() => firstInputs(playbook));
  const [chosen, setChosen] = useState<string>();
  // One dialog starts one run, however often its button is pressed.
  const [key] = useState(() => crypto.randomUUID());
  const target = chosen ?? current ?? '';
  const start = useMutation({
    mutationFn: () =>
      consoleRpc(PlaybookService.method.startPlaybook, {
        name: playbook.name,
        inputs: { ...values },
        target,
        key,
      }),
    onSuccess: ({ runId }) => {
      onClose();
      onRun(runId);
    },
    onSettled: () => client.invalidateQueries({ queryKey: runsQuery.queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <Dialog title={`Start ${playbook.title}`} width={480} onClose={onClose}>
      <form className={css.form} onSubmit={submit}>
        <NativeSelect
          label="Target"
          value={target}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={[
            { value: '', label: 'None' },
            ...(targets.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <InputFields playbook={playbook} values={values} onChange={setValues} />
        <p className={css.quiet}>
          The run keeps to the definition as it is now. It asks before each act for which the guardrails ask.
        </p>
        {start.error !== null && (
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title="Nothing was started.">
            {sentenceOf(start.error)}
          </Banner>
        )}
        <div className={css.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={start.isPending}>
            Start
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
