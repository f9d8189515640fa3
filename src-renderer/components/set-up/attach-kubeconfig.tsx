import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { KubeconfigContext } from '#shared/api/kubeconfigs.ts';
import { call } from '../../core/api.ts';
import { sentenceOf } from '../../core/failure.ts';
import { kubeconfigsQuery } from '../../core/set-up.ts';
import { takesPaths } from '../../core/takes-paths.ts';
import { targetsQuery } from '../../core/target-queries.ts';
import { Banner } from '../banner.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Glyph } from '../glyph.tsx';
import { WithCode } from '../with-code.tsx';
import css from './set-up.module.css';

type Given = { readonly path: string } | { readonly content: string };
type Checked = {
  readonly given: Given;
  readonly contexts: readonly KubeconfigContext[];
  readonly current?: string | undefined;
};

type AttachKubeconfigProps = {
  readonly onClose: () => void;
  /** Called with the target that was tried, once it is attached. */
  readonly onAttached: (target: string) => void;
};

/** Attaches a kubeconfig: it is read first, its contexts are shown with what each would run, then one is tried. */
export function AttachKubeconfig({ onClose, onAttached }: AttachKubeconfigProps) {
  const [checked, setChecked] = useState<Checked>();
  return (
    <Dialog title="Add a kubeconfig" width={560} onClose={onClose}>
      {checked === undefined ? (
        <Give onChecked={setChecked} onClose={onClose} />
      ) : (
        <Choose checked={checked} onBack={() => setChecked(undefined)} onAttached={onAttached} />
      )}
    </Dialog>
  );
}

type GiveProps = { readonly onChecked: (checked: Checked) => void; readonly onClose: () => void };

const ways = [
  { value: 'upload', label: 'Upload' },
  { value: 'paste', label: 'Paste' },
  ...(takesPaths ? [{ value: 'path', label: 'Path' }] : []),
];

function Give({ onChecked, onClose }: GiveProps) {
  const [way, setWay] = useState('upload');
  const [path, setPath] = useState('');
  const [content, setContent] = useState('');
  const field = useId();
  const input = useRef<HTMLInputElement>(null);
  const check = useMutation({
    mutationFn: (given: Given) => call('kubeconfigs.check', { body: given }),
    // Credentials must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: (answer, given) => onChecked({ given, ...answer }),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (way === 'path' && path.trim() !== '') check.mutate({ path: path.trim() });
    if (way === 'paste' && content.trim() !== '') check.mutate({ content });
  };
  return (
    <form className={css.stack} onSubmit={onSubmit}>
      <p className={css.words}>
        Its contexts are listed first, with the programs they would run. Nothing is contacted until you choose
        one, and nothing is kept until it answers.
      </p>
      <SegmentedControl
        aria-label="How to give it"
        data={ways}
        value={way}
        onChange={(value) => {
          setWay(value);
          check.reset();
        }}
      />
      {way === 'upload' && (
        <>
          <Button size="md" onClick={() => input.current?.click()} loading={check.isPending} data-autofocus>
            Choose a kubeconfig file
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            aria-label="Kubeconfig file"
            onChange={async (event) => {
              const file = event.currentTarget.files?.[0];
              event.currentTarget.value = '';
              if (file !== undefined) check.mutate({ content: await file.text() });
            }}
          />
          <p className={css.hint}>
            It is kept in the console’s data folder, readable by the console only, and never shown again.
          </p>
        </>
      )}
      {way === 'paste' && (
        <>
          <label className={css.label} htmlFor={field}>
            The kubeconfig, as <code>kubectl config view --flatten --minify</code> prints it
          </label>
          <textarea
            id={field}
            className={`${css.text} ${css.secret}`}
            value={content}
            onChange={(event) => {
              setContent(event.currentTarget.value);
              check.reset();
            }}
            autoComplete="off"
            spellCheck={false}
          />
        </>
      )}
      {way === 'path' && (
        <TextInput
          label="Path of a kubeconfig on this machine"
          description="It is read where it is, and again when it changes."
          placeholder="~/.kube/staging"
          value={path}
          onChange={(event) => {
            setPath(event.currentTarget.value);
            check.reset();
          }}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {check.error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="It cannot be used.">
          <WithCode>{sentenceOf(check.error)}</WithCode>
        </Banner>
      )}
      <div className={css.actions}>
        <Button onClick={onClose}>Cancel</Button>
        {way !== 'upload' && (
          <Button
            type="submit"
            variant="filled"
            loading={check.isPending}
            disabled={(way === 'path' ? path : content).trim() === ''}
          >
            Show its contexts
          </Button>
        )}
      </div>
    </form>
  );
}

type ChooseProps = {
  readonly checked: Checked;
  readonly onBack: () => void;
  readonly onAttached: (target: string) => void;
};

function Choose({ checked: { given, contexts, current }, onBack, onAttached }: ChooseProps) {
  const client = useQueryClient();
  const usable = contexts.filter(({ fault }) => fault === undefined);
  const first = usable.find(({ name }) => name === current) ?? usable[0];
  const [chosen, setChosen] = useState(first?.name ?? '');
  const attach = useMutation({
    mutationFn: (context: string) => call('kubeconfigs.attach', { body: { ...given, context } }),
    gcTime: 0,
    onSuccess: async ({ target }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: targetsQuery.queryKey }),
        client.invalidateQueries({ queryKey: kubeconfigsQuery.queryKey }),
      ]);
      onAttached(target);
    },
  });
  const runs = usable.find(({ name }) => name === chosen)?.runs;
  return (
    <form
      className={css.stack}
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== '') attach.mutate(chosen);
      }}
    >
      <p className={css.words}>
        {contexts.length === 1 ? 'One context.' : `${contexts.length} contexts.`} The one you choose is tried
        now; {contexts.length === 1 ? 'it is' : 'all of them are'} attached when it answers.
      </p>
      <div className={css.contexts} role="radiogroup" aria-label="Context to try">
        {contexts.map((context) => (
          <label key={context.name} className={css.context}>
            <input
              type="radio"
              name="context"
              checked={context.name === chosen}
              disabled={context.fault !== undefined}
              onChange={() => {
                setChosen(context.name);
                attach.reset();
              }}
            />
            <span className={css.name}>{context.name}</span>
            <span className={css.detail}>
              {[context.server, context.user === undefined ? undefined : `as ${context.user}`]
                .filter((part) => part !== undefined)
                .join(', ')}
            </span>
            {context.runs !== undefined && (
              <span className={css.detail}>
                Runs <code>{context.runs}</code> on the console’s machine to sign in.
              </span>
            )}
            {context.files.length > 0 && (
              <span className={css.detail}>
                Reads <code>{context.files.join(', ')}</code>
              </span>
            )}
            {context.fault !== undefined && (
              <span className={css.detail}>
                <WithCode>{context.fault}</WithCode>
              </span>
            )}
          </label>
        ))}
      </div>
      {attach.error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="It did not answer.">
          <WithCode>{sentenceOf(attach.error)}</WithCode>
        </Banner>
      )}
      <div className={css.actions}>
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" variant="filled" loading={attach.isPending} disabled={chosen === ''}>
          {runs === undefined ? 'Try and attach' : `Run ${runs.split(' ')[0]} and attach`}
        </Button>
      </div>
    </form>
  );
}
