import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { BecomeFirstAdmin } from '../../components/become-first-admin.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { Page } from '../../components/page/page.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { AttachKubeconfig } from '../../components/set-up/attach-kubeconfig.tsx';
import { SandboxSwitch } from '../../components/set-up/sandbox-switch.tsx';
import { sourceOf, stateOf } from '../../components/targets/target-labels.ts';
import { useMayNameFirst } from '../../core/access.ts';
import type { Icon } from '../../core/icon.ts';
import { IconDatabase, IconFlask, IconPackage } from '../../core/icons/icons.ts';
import { useOpenTargets } from '../../core/open-targets.ts';
import { useSession } from '../../core/session.tsx';
import { useMaySetUp } from '../../core/set-up.ts';
import { type TargetsAnswer, useChooseTarget } from '../../core/target-queries.ts';
import css from './first-run.module.css';

/** Contexts named here; the picker has all. */
const most = 4;

/** Instead of an overview of nothing: what can be looked at. */
export function FirstRun({ targets }: { readonly targets: TargetsAnswer }) {
  const { pick, bundle } = useOpenTargets();
  const choose = useChooseTarget();
  const maySetUp = useMaySetUp() === true;
  const [adding, setAdding] = useState(false);
  const clusters = targets.items.filter(({ kind }) => kind === 'context' || kind === 'in_cluster');
  const [first] = clusters;
  return (
    <Page title="Overview" sub="no cluster yet">
      <div className={css.room}>
        <h2 className={css.title}>What would you like to look at?</h2>
        <p className={css.sub}>
          The console only reads until you tell it to change something. You can switch later.
        </p>
        <div className={css.choices}>
          <Choice icon={IconDatabase} title="Connect a cluster">
            <p>Uses your kubeconfig as it is. Nothing is installed in the cluster.</p>
            {first === undefined ? (
              <Kubeconfig unmeasured={targets.unmeasured} />
            ) : (
              <>
                <ul className={css.list}>
                  {clusters.slice(0, most).map((target) => (
                    <li key={target.id}>
                      <Glyph state={stateOf(target).state} />
                      <span className={css.name}>{target.name}</span>
                      <span>{target.version === undefined ? stateOf(target).label : sourceOf(target)}</span>
                    </li>
                  ))}
                </ul>
                <span className={css.way}>
                  {clusters.length === 1 ? (
                    <Button variant="filled" size="md" fullWidth onClick={() => choose(first.id)}>
                      Connect to {first.name}
                    </Button>
                  ) : (
                    <Button variant="filled" size="md" fullWidth onClick={pick}>
                      Choose one of {clusters.length} clusters
                    </Button>
                  )}
                </span>
              </>
            )}
            {maySetUp && (
              <span className={first === undefined ? css.way : undefined}>
                <Button
                  variant={first === undefined ? 'filled' : 'default'}
                  size="md"
                  fullWidth
                  onClick={() => setAdding(true)}
                >
                  Add a kubeconfig
                </Button>
              </span>
            )}
          </Choice>
          <Choice icon={IconPackage} title="Open a bundle">
            <p>Diagnose a cluster offline from collected data. It stays on the console's machine.</p>
            <button type="button" className={css.drop} onClick={bundle}>
              Drop a bundle anywhere on this window
              <small>support bundle, must-gather, cluster-info dump</small>
            </button>
            <span className={css.way}>
              <Button size="md" fullWidth onClick={bundle}>
                Choose a file
              </Button>
            </span>
          </Choice>
          <Choice icon={IconFlask} title="Explore the sandbox">
            <p>A demo cluster with faults worth finding. Needs no access to anything.</p>
            <p className={css.hint}>
              It starts beside this console, on this machine, without a restart. Stop it here or in Settings.
            </p>
            <span className={css.way}>
              <SandboxSwitch onOpen={(target) => choose(target)} />
            </span>
          </Choice>
        </div>
        <SetUpRest />
        {adding && (
          <AttachKubeconfig
            onClose={() => setAdding(false)}
            onAttached={(target) => {
              setAdding(false);
              choose(target);
            }}
          />
        )}
      </div>
    </Page>
  );
}

/** What else a new console is given, and by whom. */
function SetUpRest() {
  const { me } = useSession();
  const mayNameFirst = useMayNameFirst() === true;
  return (
    <section className={css.rest} aria-label="Set up the rest">
      <div className={css.words}>
        <h3>Set up the rest</h3>
        <p>
          {mayNameFirst
            ? 'Nobody administers this console yet. You are its local operator: name the first session admin, who sets up studio, code host and sign-in.'
            : 'Studio, code host and sign-in are set up in Settings, step by step.'}
        </p>
      </div>
      {mayNameFirst && me.email !== undefined ? (
        <BecomeFirstAdmin email={me.email} />
      ) : (
        <PageLink to={{ tab: 'settings', section: 'setUp' }} look="outlined">
          Open the steps
        </PageLink>
      )}
    </section>
  );
}

/** Explains why there is no cluster to choose. */
function Kubeconfig({ unmeasured }: { readonly unmeasured: readonly string[] }) {
  return (
    <p className={css.hint}>
      {unmeasured.length === 0 ? (
        <>
          No kubeconfig was found. It is searched for where kubectl does: in <code>KUBECONFIG</code>, else in{' '}
          <code>~/.kube/config</code>. Once it exists it is picked up automatically.
        </>
      ) : (
        unmeasured.join(' ')
      )}
    </p>
  );
}

type ChoiceProps = { readonly icon: Icon; readonly title: string; readonly children: ReactNode };

function Choice({ icon: ChoiceIcon, title, children }: ChoiceProps) {
  return (
    <section className={css.choice} aria-label={title}>
      <h3>
        <ChoiceIcon size={16} stroke={2} aria-hidden />
        {title}
      </h3>
      {children}
    </section>
  );
}
