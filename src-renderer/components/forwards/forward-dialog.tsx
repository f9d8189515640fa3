import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type ForwardDefinition, type ForwardKind, forwardKind } from '#shared/api/forwards.ts';
import { inDesktopWindow } from '../../core/desktop.ts';
import { sentenceOf } from '../../core/failure.ts';
import { useCreateForward } from '../../core/forward-queries.ts';
import { Banner } from '../banner.tsx';
import { CopyIcon } from '../copy-icon.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Glyph } from '../glyph.tsx';
import css from './forward-dialog.module.css';

type ForwardDialogProps = {
  /** Name of the live target. */
  readonly target: string;
  /** The object it leads to, where it is known. */
  readonly to?: Partial<Pick<ForwardDefinition, 'namespace' | 'kind' | 'object' | 'port'>>;
  readonly onClose: () => void;
};

const kindOf = (text: string): ForwardKind =>
  forwardKind.options.find((option) => option === text) ?? 'Service';

const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const;

/** A name for a forward to an object: its own with the port, as far as a name may have it. */
function nameOf(object: string, port: string): string {
  return `${object}-${port}`
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '');
}

/** Opens a port of this machine that leads to a ready pod, and shows its address. */
export function ForwardDialog({ target, to = {}, onClose }: ForwardDialogProps) {
  const [kind, setKind] = useState<ForwardKind>(to.kind ?? 'Service');
  const [namespace, setNamespace] = useState(to.namespace ?? '');
  const [object, setObject] = useState(to.object ?? '');
  const [port, setPort] = useState(to.port === undefined ? '' : String(to.port));
  const [local, setLocal] = useState('');
  const [name, setName] = useState<string>();
  const create = useCreateForward();
  const shownName = name ?? nameOf(object, port);
  const localPort = local.trim() === '' ? undefined : Number(local);
  const isLocal =
    localPort === undefined || (Number.isInteger(localPort) && localPort >= 1024 && localPort <= 65_535);
  const isComplete =
    namespace.trim() !== '' && object.trim() !== '' && port.trim() !== '' && shownName !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete || !isLocal) return;
    create.mutate({
      name: shownName,
      target,
      namespace: namespace.trim(),
      kind,
      object: object.trim(),
      port: /^\d+$/.test(port.trim()) ? Number(port) : port.trim(),
      local_port: localPort,
    });
  };
  const { address } = create.data ?? {};
  if (address !== undefined)
    return (
      <Dialog title={`Forwarding ${shownName}`} width={480} onClose={onClose}>
        <p className={css.words}>
          Connections to this address lead to a ready pod of {kind} <b>{object}</b>. It is kept on the page
          Forwards, and open until you stop it or the console ends.
        </p>
        <p className={css.address}>
          <code>{address}</code>
          <CopyIcon text={() => address} label="Copy the address" />
        </p>
        <div className={css.foot}>
          {!inDesktopWindow && (
            <Button component="a" href={`http://${address}/`} target="_blank" rel="noreferrer">
              Open in browser
            </Button>
          )}
          <Button variant="filled" onClick={onClose} data-autofocus>
            Done
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="Forward a port" width={480} onClose={onClose}>
      <form className={css.form} onSubmit={submit} noValidate>
        <div className={css.pair}>
          <NativeSelect
            label="Kind"
            data={forwardKind.options}
            value={kind}
            onChange={(event) => setKind(kindOf(event.currentTarget.value))}
          />
          <TextInput
            label="Namespace"
            value={namespace}
            onChange={(event) => setNamespace(event.currentTarget.value)}
            {...plain}
            {...(to.namespace === undefined && { 'data-autofocus': true })}
          />
        </div>
        <div className={css.pair}>
          <TextInput
            label="Name of the object"
            value={object}
            onChange={(event) => setObject(event.currentTarget.value)}
            {...plain}
          />
          <TextInput
            label="Its port"
            description="By number or by name."
            value={port}
            onChange={(event) => setPort(event.currentTarget.value)}
            {...plain}
          />
        </div>
        <div className={css.pair}>
          <TextInput
            label="Name of the forward"
            value={shownName}
            onChange={(event) => setName(event.currentTarget.value)}
            {...plain}
          />
          <TextInput
            label="Port on this machine"
            description="Empty for any free one."
            placeholder="any"
            value={local}
            onChange={(event) => setLocal(event.currentTarget.value)}
            error={!isLocal && 'A number from 1024 to 65535.'}
            inputMode="numeric"
            {...plain}
          />
        </div>
        {create.error !== null && (
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title="No port was opened.">
            {sentenceOf(create.error)}
          </Banner>
        )}
        <div className={css.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="filled"
            loading={create.isPending}
            disabled={!isComplete || !isLocal}
          >
            Forward
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
