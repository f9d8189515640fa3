import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AttachedKubeconfig } from '#shared/api/kubeconfigs.ts';
import { counted } from '#shared/text.ts';
import { Banner } from '../../components/banner.tsx';
import { BecomeFirstAdmin } from '../../components/become-first-admin.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { AttachKubeconfig } from '../../components/set-up/attach-kubeconfig.tsx';
import { SandboxSwitch } from '../../components/set-up/sandbox-switch.tsx';
import { State } from '../../components/state.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { sessionAdminsQuery, useMayAdminister } from '../../core/access.ts';
import { call } from '../../core/api.ts';
import { codeHostQuery } from '../../core/code-host.ts';
import { sentenceOf } from '../../core/failure.ts';
import { useSession } from '../../core/session.tsx';
import { kubeconfigsQuery, useMaySetUp } from '../../core/set-up.ts';
import type { StateName } from '../../core/state-name.ts';
import { useChooseTarget } from '../../core/target-queries.ts';
import { usePlatform } from '../../core/use-platform.ts';
import { Section } from './section.tsx';
import css from './set-up-section.module.css';
import { SignInStep } from './sign-in-step.tsx';
import { StudioStep } from './studio-step.tsx';
import { WhoMayChange } from './who-may-change.tsx';

/** The guided steps of a console: what is set up, and what is not yet with the way to it. */
export function SetUpSection() {
  return (
    <Section title="Set-up">
      <p className={css.about}>
        Each step is tested before it is kept, and in effect at once. What the environment of the console sets
        is fixed there.
      </p>
      <WhoMayChange what="the set-up" />
      <ul className={css.steps} aria-label="Steps">
        <Admins />
        <Clusters />
        <Studio />
        <CodeHost />
        <SignIn />
        <Sandbox />
      </ul>
    </Section>
  );
}

type StepProps = {
  readonly title: string;
  readonly state: StateName;
  readonly label: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
};

function Step({ title, state, label, children, action }: StepProps) {
  return (
    <li className={css.step} aria-label={title}>
      <div className={css.words}>
        <div className={css.head}>
          <h3>{title}</h3>
          <State state={state} label={label} />
        </div>
        {children}
      </div>
      {action !== undefined && <div className={css.action}>{action}</div>}
    </li>
  );
}

function Admins() {
  const { me } = useSession();
  const { data } = useQuery(sessionAdminsQuery);
  if (data === undefined) return null;
  return (
    <Step
      title="Session admins"
      state={data.size === 0 ? 'idle' : 'healthy'}
      label={data.size === 0 ? 'Nobody named' : counted(data.size, 'person', 'people')}
      action={
        data.may_name_first && me.email !== undefined ? (
          <BecomeFirstAdmin email={me.email} />
        ) : (
          <PageLink to={{ tab: 'access' }} look="outlined">
            See the list
          </PageLink>
        )
      }
    >
      <p>They change settings and keys, read the audit trail and end other people’s sessions.</p>
    </Step>
  );
}

function Clusters() {
  const { data } = useQuery(kubeconfigsQuery);
  const may = useMaySetUp() === true;
  const choose = useChooseTarget();
  const [adding, setAdding] = useState(false);
  const items = data?.items ?? [];
  return (
    <Step
      title="Clusters"
      state={items.length === 0 ? 'idle' : 'healthy'}
      label={
        items.length === 0
          ? 'None added here'
          : items.length === 1
            ? '1 kubeconfig'
            : `${items.length} kubeconfigs`
      }
      action={may && <Button onClick={() => setAdding(true)}>Add a kubeconfig</Button>}
    >
      <p>
        Contexts of <code>KUBECONFIG</code> or <code>~/.kube/config</code> are read by themselves. Others are
        added here, by upload, paste or path.
      </p>
      {items.length > 0 && (
        <ul className={css.items} aria-label="Attached kubeconfigs">
          {items.map((item) => (
            <Attached key={item.id} item={item} may={may} />
          ))}
        </ul>
      )}
      {adding && (
        <AttachKubeconfig
          onClose={() => setAdding(false)}
          onAttached={(target) => {
            setAdding(false);
            choose(target);
          }}
        />
      )}
    </Step>
  );
}

function Attached({ item, may }: { readonly item: AttachedKubeconfig; readonly may: boolean }) {
  const client = useQueryClient();
  const detach = useMutation({
    mutationFn: () => call('kubeconfigs.detach', { params: { id: item.id } }),
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <li className={css.item}>
      <span className={css.names}>{item.targets.join(', ') || 'no contexts any more'}</span>
      <span className={css.quiet}>
        {item.kind === 'path' ? 'by its path' : 'kept here'}, <TimeAgo at={Date.parse(item.attached_at)} />
      </span>
      {may && (
        <Button
          size="xs"
          onClick={() => detach.mutate()}
          loading={detach.isPending}
          aria-label={`Detach ${item.targets.join(', ')}`}
        >
          Detach
        </Button>
      )}
      {detach.error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="It was not detached.">
          {sentenceOf(detach.error)}
        </Banner>
      )}
    </li>
  );
}

function Studio() {
  const { data } = usePlatform();
  const may = useMayAdminister() === true;
  const [open, setOpen] = useState(false);
  if (data === undefined) return null;
  const { studio, sandbox } = data;
  const label = { ready: 'Answers', key_missing: 'Not set up', unreachable: 'Does not answer' } as const;
  return (
    <Step
      title="Studio"
      state={studio.state === 'ready' ? 'healthy' : studio.state === 'key_missing' ? 'idle' : 'degraded'}
      label={sandbox ? 'The sandbox’s' : label[studio.state]}
      action={
        may &&
        !sandbox && (
          <Button onClick={() => setOpen(true)}>{studio.state === 'ready' ? 'Change' : 'Set up'}</Button>
        )
      }
    >
      <p>
        {studio.state === 'ready' ? (
          <>
            At <code>{studio.upstream}</code>.
          </>
        ) : (
          'The service that builds apps: its address, and a key that both sides have.'
        )}
      </p>
      {open && <StudioStep upstream={studio.upstream} onClose={() => setOpen(false)} />}
    </Step>
  );
}

function CodeHost() {
  const { data } = useQuery(codeHostQuery);
  if (data === undefined) return null;
  const { configured, installation } = data;
  return (
    <Step
      title="Code host"
      state={installation !== undefined ? 'healthy' : configured ? 'degraded' : 'idle'}
      label={installation?.organisation ?? (configured ? 'Not read' : 'Not attached')}
      action={
        <PageLink to={{ tab: 'settings', section: 'codeHost' }} look="outlined">
          {configured ? 'See it' : 'Attach an App'}
        </PageLink>
      }
    >
      <p>A GitHub App of your organisation: runs, reviews, deliveries and the studio’s apps.</p>
    </Step>
  );
}

function SignIn() {
  const { me } = useSession();
  const may = useMayAdminister() === true;
  const [open, setOpen] = useState(false);
  return (
    <Step
      title="Sign-in"
      state={me.googleAuth ? 'healthy' : 'idle'}
      label={me.googleAuth ? 'With a provider' : me.passwordAuth ? 'Password only' : 'Link only'}
      action={may && <Button onClick={() => setOpen(true)}>{me.googleAuth ? 'Change' : 'Set up'}</Button>}
    >
      <p>Google or another OpenID provider, and who may sign in.</p>
      {open && <SignInStep onClose={() => setOpen(false)} />}
    </Step>
  );
}

function Sandbox() {
  const { data } = usePlatform();
  const choose = useChooseTarget();
  return (
    <Step
      title="Sandbox"
      state={data?.sandbox === true ? 'healthy' : 'idle'}
      label={data?.sandbox === true ? 'Running' : 'Off'}
      action={<SandboxSwitch onOpen={choose} />}
    >
      <p>A demo platform beside this console. What it reports is kept apart, and gone when it stops.</p>
    </Step>
  );
}
