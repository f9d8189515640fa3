import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CodeHostAttachment } from '#shared/api/code-host.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useMayAdminister } from '../../core/access.ts';
import { codeHostQuery } from '../../core/code-host.ts';
import { sentenceOf } from '../../core/failure.ts';
import { useReading } from '../../core/reading.tsx';
import { AttachCodeHost } from './attach-code-host.tsx';
import { attachmentState } from './code-host-labels.ts';
import css from './code-host-section.module.css';
import { CreateApp } from './create-app.tsx';
import { CreatedApp } from './created-app.tsx';
import { Permissions } from './permissions.tsx';
import { QuotaMeter } from './quota-meter.tsx';
import { Section } from './section.tsx';
import { sourceLabels } from './settings-labels.ts';
import { WhoMayChange } from './who-may-change.tsx';

/** Refresh interval while the section is visible, in ms, as the quota falls while agents work. */
const everyMs = 15_000;

/** The code host: how this console is attached to it, what is left of its quota, and what the App may read. */
export function CodeHostSection() {
  const { every } = useReading();
  const attachment = useQuery({ ...codeHostQuery, refetchInterval: every(everyMs) });
  if (attachment.data !== undefined) return <Attachment attachment={attachment.data} />;
  return (
    <Section title="Code host">
      {attachment.error === null ? (
        <SkeletonRows rows={6} />
      ) : (
        <FailurePanel
          state="unknown"
          label="Not read"
          title="The console did not say how it is attached to the code host"
          raw={sentenceOf(attachment.error)}
          actions={
            <Button variant="filled" onClick={() => attachment.refetch()} loading={attachment.isFetching}>
              Retry
            </Button>
          }
        >
          <p>Requested /api/github.</p>
        </FailurePanel>
      )}
    </Section>
  );
}

function Attachment({ attachment }: { readonly attachment: CodeHostAttachment }) {
  const may = useMayAdminister() === true;
  const [open, setOpen] = useState<'attach' | 'create'>();
  const { configured, settings, app, installation, quota, waiting_until, unmeasured, read_at } = attachment;
  const anySettable = Object.values(settings).some(({ settable }) => settable);
  return (
    <>
      <CreatedApp installed={installation !== undefined} />
      <Section
        title="Code host"
        actions={
          may &&
          anySettable && (
            <>
              <Button onClick={() => setOpen('attach')}>{configured ? 'Change' : 'Attach an App'}</Button>
              {!configured && settings.app_id.settable && settings.private_key.settable && (
                <Button variant="filled" onClick={() => setOpen('create')}>
                  Create an App
                </Button>
              )}
            </>
          )
        }
      >
        <p className={css.about}>
          A GitHub App of your organisation, read-only. It provides the studio’s apps with their state, runs
          and logs, reviews, deliveries and agent settings.
        </p>
        {anySettable && <WhoMayChange what="the code host" />}
        <dl className={css.facts}>
          <dt>State</dt>
          <dd>
            <State {...attachmentState(attachment)} />
            {configured &&
              unmeasured.map((reason) => (
                <p key={reason} className={css.detail}>
                  {reason}
                </p>
              ))}
          </dd>
          {installation !== undefined && (
            <>
              <dt>Organisation</dt>
              <dd>
                {installation.organisation}{' '}
                <span className={css.quiet}>
                  {installation.repositories === 'all' ? 'every repository' : 'selected repositories'}
                </span>
              </dd>
            </>
          )}
          <dt>App</dt>
          <dd>
            {app?.name} <Value {...settings.app_id} />
          </dd>
          <dt>Installation</dt>
          <dd>
            {installation === undefined || settings.installation_id.source === 'default' ? (
              <>
                {installation !== undefined && <code>{installation.id}</code>}{' '}
                <span className={css.quiet}>the App’s only one</span>
              </>
            ) : (
              <Value {...settings.installation_id} />
            )}
          </dd>
          <dt>Address</dt>
          <dd>
            <Value {...settings.api_url} />
          </dd>
          <dt>Private key</dt>
          <dd>
            {settings.private_key.set ? 'Set' : 'Not set'}{' '}
            {settings.private_key.set && <Tag strong>{sourceLabels[settings.private_key.source]}</Tag>}
          </dd>
          <dt>Read</dt>
          <dd>
            <TimeAgo at={Date.parse(read_at)} />
          </dd>
        </dl>
      </Section>
      {quota !== undefined && <QuotaMeter quota={quota} waitingUntil={waiting_until} />}
      {installation !== undefined && <Permissions installation={installation} />}
      {open === 'attach' && <AttachCodeHost attachment={attachment} onClose={() => setOpen(undefined)} />}
      {open === 'create' && (
        <CreateApp onClose={() => setOpen(undefined)} onAttach={() => setOpen('attach')} />
      )}
    </>
  );
}

function Value({ value, source }: CodeHostAttachment['settings']['app_id']) {
  return (
    <>
      {value === undefined ? <span className={css.quiet}>not set</span> : <code>{value}</code>}{' '}
      {source !== 'unset' && source !== 'default' && <Tag strong>{sourceLabels[source]}</Tag>}
    </>
  );
}
