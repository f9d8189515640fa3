import { Button } from '@mantine/core';
import { CopyButton } from '../../components/copy-button.tsx';
import { Coverage } from '../../components/coverage.tsx';
import { KeyCaps } from '../../components/key-caps.tsx';
import { State } from '../../components/state.tsx';
import { IconExternalLink, IconLink, IconPlus } from '../../core/icons/icons.ts';
import type { RailApp, stateCoverage } from './rail-model.ts';

type StudioActionsProps = {
  /** The app the open chat is about, when the rail knows it. */
  readonly app: RailApp | undefined;
  readonly coverage: ReturnType<typeof stateCoverage> | undefined;
  /** True when the open chat has an id to link to. */
  readonly linkable: boolean;
  readonly copyAddress: () => string;
  /** Undefined while the studio is not to be had. */
  readonly onNewChat: (() => void) | undefined;
};

/** The studio header's right group: how the app is, what was read, and what to do. */
export function StudioActions({ app, coverage, linkable, copyAddress, onNewChat }: StudioActionsProps) {
  return (
    <>
      {app?.state !== undefined && <State state={app.state.state} label={app.state.label} look="pill" />}
      {coverage !== undefined && <Coverage {...coverage} />}
      {linkable && <CopyButton text={copyAddress} label="Copy link" icon={IconLink} />}
      {app?.lastRun !== undefined && <OutsideLink href={app.lastRun}>Last run</OutsideLink>}
      {app?.repository !== undefined && <OutsideLink href={app.repository}>Repository</OutsideLink>}
      {onNewChat !== undefined && (
        <Button
          variant="filled"
          onClick={onNewChat}
          leftSection={<IconPlus size={14} stroke={2} aria-hidden />}
          rightSection={<KeyCaps keys="n" />}
        >
          New chat
        </Button>
      )}
    </>
  );
}

function OutsideLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <Button
      component="a"
      href={href}
      target="_blank"
      rel="noreferrer"
      leftSection={<IconExternalLink size={14} stroke={2} aria-hidden />}
    >
      {children}
    </Button>
  );
}
