import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Forward } from '#shared/api/forwards.ts';
import { Banner } from '../../components/banner.tsx';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Drawer } from '../../components/dialogs/drawer.tsx';
import { DrawerHead } from '../../components/dialogs/drawer-head.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { formatBytes } from '../../components/format-quantity.ts';
import { Glyph } from '../../components/glyph.tsx';
import { State } from '../../components/state.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { inDesktopWindow } from '../../core/desktop.ts';
import { sentenceOf } from '../../core/failure.ts';
import { useForwardAct, useMayForward } from '../../core/forward-queries.ts';
import { forwardStates } from './forward-labels.ts';
import css from './forwards-page.module.css';

type ForwardDrawerProps = {
  /** Undefined for an address that names none. */
  readonly forward: Forward | undefined;
  readonly address: string;
  readonly onClose: () => void;
};

/** One port forward beside the list: where it leads, what it carried, and the ways to start, stop and delete it. */
export function ForwardDrawer({ forward, address, onClose }: ForwardDrawerProps) {
  const may = useMayForward() === true;
  const head = (
    <DrawerHead what="port forward" title={forward?.name} address={address} onClose={onClose}>
      {forward !== undefined && <State {...forwardStates[forward.state]} look="pill" />}
    </DrawerHead>
  );
  if (forward === undefined)
    return (
      <Drawer name="Port forward" onClose={onClose}>
        {head}
        <div className={css.gone}>
          <FailurePanel state="idle" label="Not found" title="There is no such port forward">
            <p>It may have been deleted.</p>
          </FailurePanel>
        </div>
      </Drawer>
    );
  const { name, kind, object, namespace, port, target, pod, open, opened, last_failure, reason } = forward;
  const here = forward.address;
  return (
    <Drawer name={`Port forward ${name}`} onClose={onClose}>
      {head}
      {may && <Actions key={name} forward={forward} onDeleted={onClose} />}
      <Facts>
        <Fact name="Address here">
          {here === undefined ? (
            'Not open'
          ) : (
            <>
              <code>{here}</code>
              <CopyIcon text={() => here} label="Copy the address" />
            </>
          )}
        </Fact>
        {reason !== undefined && <Fact name="Reason">{reason}</Fact>}
        <Fact name="Leads to">
          {kind} <code>{object}</code>, port <code>{port}</code>
        </Fact>
        <Fact name="Namespace">{namespace}</Fact>
        <Fact name="Target">{target}</Fact>
        <Fact name="Pod">{pod === undefined ? 'None yet' : <code>{pod}</code>}</Fact>
        <Fact name="Connections">
          {open} open, {opened} since it was started
        </Fact>
        <Fact name="Sent">{formatBytes(forward.bytes_sent)}</Fact>
        <Fact name="Received">{formatBytes(forward.bytes_received)}</Fact>
        {last_failure !== undefined && (
          <Fact name="Last failure">
            {last_failure.reason} <TimeAgo at={Date.parse(last_failure.at)} fromNow />
          </Fact>
        )}
      </Facts>
    </Drawer>
  );
}

function Actions({ forward, onDeleted }: { readonly forward: Forward; readonly onDeleted: () => void }) {
  const { name, address, state } = forward;
  const [asked, setAsked] = useState(false);
  const act = useForwardAct();
  const is = (which: string): boolean => act.isPending && act.variables?.act === which;
  return (
    <div className={css.actions}>
      {address !== undefined && !inDesktopWindow && (
        <Button component="a" href={`http://${address}/`} target="_blank" rel="noreferrer">
          Open in browser
        </Button>
      )}
      {state === 'listening' ? (
        <Button onClick={() => act.mutate({ act: 'stop', name })} loading={is('stop')}>
          Stop
        </Button>
      ) : (
        <Button variant="filled" onClick={() => act.mutate({ act: 'start', name })} loading={is('start')}>
          Start
        </Button>
      )}
      <Button onClick={() => setAsked(true)}>Delete</Button>
      {act.error !== null && !asked && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="Nothing was changed.">
          {sentenceOf(act.error)}
        </Banner>
      )}
      {asked && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          verb={`Delete ${name}`}
          onConfirm={() => act.mutate({ act: 'delete', name }, { onSuccess: onDeleted })}
          onClose={() => setAsked(false)}
          working={is('delete')}
          error={act.error}
          failed="It was not deleted."
        >
          <p>
            The port is closed, its open connections end, and the console forgets <b>{name}</b>.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
