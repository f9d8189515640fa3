import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Runner, RunnersService } from '#shared/gen/datasource/v1/runners_pb.js';
import { Banner } from '../../components/banner.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { consoleRpc } from '../../core/rpc.ts';
import { labelsText, readLabels } from './runner-labels.ts';
import { readRunnersAgain } from './runner-queries.ts';
import css from './runners.module.css';
import { TicketShown } from './ticket-shown.tsx';

type RunnerInput = {
  readonly name: string;
  readonly address: string;
  readonly labels: Record<string, string>;
};

/** Enrols a runner, and shows its ticket. */
export function EnrolRunner({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const enrol = useMutation({
    mutationFn: (input: RunnerInput) => consoleRpc(RunnersService.method.enrolRunner, input),
    // The ticket must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: () => readRunnersAgain(client),
  });
  const { data } = enrol;
  return (
    <Dialog
      title={data === undefined ? 'Enrol a runner' : `Ticket of ${data.runner?.name}`}
      width={560}
      onClose={onClose}
    >
      {data === undefined ? (
        <RunnerForm
          verb="Enrol"
          failed="The runner was not enrolled."
          working={enrol.isPending}
          error={enrol.error}
          onSubmit={(input) => enrol.mutate(input)}
          onClose={onClose}
        />
      ) : (
        <TicketShown
          runnerId={data.runner?.id ?? ''}
          ticket={data.ticket}
          secret={data.secret}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

/** Changes the address and the labels of a runner. */
export function EditRunner({ runner, onClose }: { readonly runner: Runner; readonly onClose: () => void }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ address, labels }: RunnerInput) =>
      consoleRpc(RunnersService.method.updateRunner, { id: runner.id, address, labels: { labels } }),
    onSuccess: onClose,
    onSettled: () => readRunnersAgain(client),
  });
  return (
    <Dialog title={`Edit ${runner.name}`} width={480} onClose={onClose}>
      <RunnerForm
        runner={runner}
        verb="Save"
        failed="The runner was not changed."
        working={change.isPending}
        error={change.error}
        onSubmit={(input) => change.mutate(input)}
        onClose={onClose}
      />
    </Dialog>
  );
}

type RunnerFormProps = {
  /** Undefined for a new one. */
  readonly runner?: Runner;
  readonly verb: string;
  readonly failed: string;
  readonly working: boolean;
  readonly error: Error | null;
  readonly onSubmit: (input: RunnerInput) => void;
  readonly onClose: () => void;
};

const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const;

function RunnerForm({ runner, verb, failed, working, error, onSubmit, onClose }: RunnerFormProps) {
  const [name, setName] = useState(runner?.name ?? '');
  const [address, setAddress] = useState(runner?.address ?? '');
  const [labels, setLabels] = useState(labelsText(runner?.labels ?? {}));
  const [tried, setTried] = useState(false);
  const read = readLabels(labels);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() !== '' && read !== undefined)
      onSubmit({ name: name.trim(), address: address.trim(), labels: read });
  };
  return (
    <form className={css.form} onSubmit={submit} noValidate>
      {runner === undefined && (
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={tried && name.trim() === '' && 'A runner needs a name.'}
          required
          {...plain}
          data-autofocus
        />
      )}
      <TextInput
        label="Address"
        description="Host name at which applications reach it. May be empty."
        placeholder="runner-1.example.com"
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
        {...plain}
      />
      <TextInput
        label="Labels"
        description="Such as region=eu, stage=prod."
        value={labels}
        onChange={(event) => setLabels(event.currentTarget.value)}
        error={tried && read === undefined && 'Each label is written as name=value.'}
        {...plain}
      />
      {error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title={failed}>
          {sentenceOf(error)}
        </Banner>
      )}
      <div className={css.foot}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled" loading={working}>
          {verb}
        </Button>
      </div>
    </form>
  );
}
