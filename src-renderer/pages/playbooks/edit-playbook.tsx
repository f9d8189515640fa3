import { Button, Switch, Textarea } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useRef, useState } from 'react';
import { type GetPlaybookResponse, PlaybookService } from '#shared/gen/platform/v1/playbook_pb.js';
import { counted } from '#shared/text.ts';
import { Banner } from '../../components/banner.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { State } from '../../components/state.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { consoleRpc } from '../../core/rpc.ts';
import { checkQuery, playbooksQuery, playbookTextQuery, runsQuery } from './playbook-queries.ts';
import css from './playbooks.module.css';
import { firstInputs, InputFields } from './start-playbook.tsx';

const blank = `name: my-playbook
title: My playbook
description: What it is for.
inputs:
  - { name: namespace, title: Namespace, type: name }
steps:
  - id: workloads
    title: Read the Deployments
    read: { kind: Deployment, namespace: '\${input.namespace}' }
  - id: any
    title: Check that there are some
    check: steps.workloads.result.count > 0
`;

type EditPlaybookProps = {
  /** Empty for a new one. */
  readonly name: string;
  readonly onClose: () => void;
  /** Called with the run of a rehearsal. */
  readonly onRun: (id: string) => void;
};

/** The editor of a definition: checked as it is typed, and rehearsed on the sandbox. */
export function EditPlaybook({ name, onClose, onRun }: EditPlaybookProps) {
  const text = useQuery({ ...playbookTextQuery(name), enabled: name !== '' });
  return (
    <Dialog title={name === '' ? 'New playbook' : `Edit ${name}`} width={820} onClose={onClose}>
      {name === '' ? (
        <Editor before={undefined} onClose={onClose} onRun={onRun} />
      ) : (
        <PlainAnswer
          query={text}
          what="the definition"
          meanwhile="Runs go on with the definition that they began with."
        >
          {(before) => <Editor before={before} onClose={onClose} onRun={onRun} />}
        </PlainAnswer>
      )}
    </Dialog>
  );
}

type EditorProps = Pick<EditPlaybookProps, 'onClose' | 'onRun'> & {
  readonly before: GetPlaybookResponse | undefined;
};

function Editor({ before, onClose, onRun }: EditorProps) {
  const client = useQueryClient();
  const [text, setText] = useState(before?.text ?? blank);
  const [armed, setArmed] = useState(before?.playbook?.armed ?? false);
  // Somebody else's change is refused, not overwritten.
  const [revision] = useState(before?.playbook?.revision ?? 0n);
  const [rehearsing, setRehearsing] = useState(false);
  const [inputs, setInputs] = useState<Readonly<Record<string, string>>>({});
  const area = useRef<HTMLTextAreaElement>(null);
  const check = useQuery({ ...checkQuery(useDeferredValue(text)), placeholderData: keepPreviousData });
  const faults = check.data?.faults ?? [];
  const checked = check.data?.playbook;
  const starts = (checked?.schedules.length ?? 0) + (checked?.events.length ?? 0) > 0;
  const renamed =
    before?.playbook !== undefined && checked !== undefined && checked.name !== before.playbook.name;

  const save = useMutation({
    mutationFn: () =>
      consoleRpc(PlaybookService.method.savePlaybook, {
        text,
        armed: armed && starts,
        revision: renamed ? 0n : revision,
      }),
    onSuccess: onClose,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: playbooksQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['playbook'] }),
      ]),
  });
  const rehearse = useMutation({
    mutationFn: () =>
      consoleRpc(PlaybookService.method.rehearsePlaybook, {
        text,
        inputs: { ...(checked === undefined ? {} : firstInputs(checked)), ...inputs },
      }),
    onSuccess: ({ runId }) => onRun(runId),
    onSettled: () => client.invalidateQueries({ queryKey: runsQuery.queryKey }),
  });
  const show = (line: number, column: number) => {
    const at =
      text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length +
      (line > 1 ? 1 : 0) +
      column -
      1;
    area.current?.focus();
    area.current?.setSelectionRange(at, at);
  };
  const error = save.error ?? rehearse.error;
  return (
    <div className={css.form}>
      <div className={css.editor}>
        <Textarea
          ref={area}
          label="Definition (YAML)"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          spellCheck={false}
          rows={18}
          data-autofocus
        />
        <div role="status" aria-label="Check of the definition">
          {check.error !== null ? (
            <State state="unknown" label={`Not checked: ${sentenceOf(check.error)}`} />
          ) : check.data === undefined ? (
            <State state="working" label="Checking" />
          ) : faults.length === 0 ? (
            <State state="healthy" label={`Can be run: ${counted(checked?.steps.length ?? 0, 'step')}`} />
          ) : (
            <State state="failing" label={counted(faults.length, 'fault')} />
          )}
        </div>
        {faults.length > 0 && (
          <ul className={css.faults} aria-label="Faults">
            {faults.map(({ line, column, path, message }) => (
              <li key={`${line}:${column}:${message}`}>
                <button type="button" onClick={() => show(line, column)}>
                  <b>Line {line}</b> {path !== '' && <code>{path}</code>} {message}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {starts && (
        <Switch
          label="Starts by itself: its schedule and its events start it"
          checked={armed}
          onChange={(event) => setArmed(event.currentTarget.checked)}
        />
      )}
      {rehearsing && checked !== undefined && (
        <>
          <p className={css.quiet}>
            A rehearsal is a run that reads and acts on the sandbox only, and sends nothing to agents or
            sessions.
          </p>
          <InputFields
            playbook={checked}
            values={{ ...firstInputs(checked), ...inputs }}
            onChange={setInputs}
          />
        </>
      )}
      {error !== null && (
        <Banner
          look="failing"
          urgent
          icon={<Glyph state="failing" />}
          title={save.error === null ? 'Nothing was rehearsed.' : 'The playbook was not saved.'}
        >
          {sentenceOf(error)}
        </Banner>
      )}
      <div className={css.foot}>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          onClick={() =>
            rehearsing || checked?.inputs.length === 0 ? rehearse.mutate() : setRehearsing(true)
          }
          disabled={checked === undefined || faults.length > 0}
          loading={rehearse.isPending}
        >
          {rehearsing ? 'Start rehearsal' : 'Rehearse on the sandbox'}
        </Button>
        <Button
          variant="filled"
          onClick={() => save.mutate()}
          disabled={checked === undefined || faults.length > 0}
          loading={save.isPending}
        >
          Save
        </Button>
      </div>
    </div>
  );
}
