import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { IconDownload } from '../../core/icons/icons.ts';
import { takesPaths } from '../../core/takes-paths.ts';
import css from './bundle-dialog.module.css';
import { BundleWork } from './bundle-work.tsx';
import type { BundleOpening } from './use-bundle-opening.ts';

type BundleDialogProps = { readonly bundle: BundleOpening; readonly onClose: () => void };

/** Opens an offline bundle: what to give it, how far it is, and why it failed. */
export function BundleDialog({ bundle: { opening, open, cancel }, onClose }: BundleDialogProps) {
  const working = opening !== undefined && opening.phase !== 'failed';
  const leave = () => {
    cancel();
    onClose();
  };
  return (
    <Dialog
      title={working ? `Opening ${opening.name}` : 'Open a bundle'}
      width={480}
      // Esc or a click beside it must not throw away minutes of work: Cancel does.
      onClose={working ? onClose : leave}
    >
      {working ? (
        <BundleWork opening={opening} onCancel={leave} onHide={onClose} />
      ) : (
        <Choose
          failed={opening?.phase === 'failed' ? opening : undefined}
          onFile={(file) => open({ file })}
          onPath={(path) => open({ path })}
        />
      )}
    </Dialog>
  );
}

type ChooseProps = {
  readonly failed: { readonly name: string; readonly reason: string } | undefined;
  readonly onFile: (file: File) => void;
  readonly onPath: (path: string) => void;
};

function Choose({ failed, onFile, onPath }: ChooseProps) {
  const [path, setPath] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (path.trim() !== '') onPath(path.trim());
  };
  return (
    <>
      <p className={css.intro}>
        Every cluster page then answers from it, without the cluster. A support bundle, a must-gather, a{' '}
        <code>cluster-info dump</code> or the output of <code>operator-console capture</code>.
      </p>
      {failed !== undefined && (
        <div className={css.intro}>
          <Banner
            look="failing"
            urgent
            icon={<Glyph state="failing" />}
            title={`${failed.name} was not opened.`}
          >
            {failed.reason}
          </Banner>
        </div>
      )}
      <UnstyledButton className={css.drop} onClick={() => input.current?.click()} data-autofocus>
        <IconDownload size={16} stroke={2} aria-hidden />
        Drop a bundle here, or choose a file
        <small>.tar.gz, .tgz, .tar or .zip, up to 4 GB. It does not leave the machine of the console.</small>
      </UnstyledButton>
      <input
        ref={input}
        type="file"
        hidden
        accept=".gz,.tgz,.tar,.zip"
        aria-label="Bundle file"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
      {takesPaths && (
        <form className={css.path} onSubmit={submit}>
          <TextInput
            label="Or the path of a file or folder on this machine"
            value={path}
            onChange={(event) => setPath(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
          />
          <Button type="submit" disabled={path.trim() === ''}>
            Open
          </Button>
        </form>
      )}
    </>
  );
}
