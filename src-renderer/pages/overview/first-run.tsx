import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { CommandBlock } from '../../components/command-block.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { Page } from '../../components/page/page.tsx';
import { sourceOf, stateOf } from '../../components/targets/target-labels.ts';
import type { Icon } from '../../core/icon.ts';
import { IconDatabase, IconFlask, IconPackage } from '../../core/icons/icons.ts';
import { useOpenTargets } from '../../core/open-targets.ts';
import { type TargetsAnswer, useChooseTarget } from '../../core/target-queries.ts';
import css from './first-run.module.css';

/** Contexts named here; the picker has all. */
const most = 4;

/** Instead of an overview of nothing: what can be looked at. */
export function FirstRun({ targets }: { readonly targets: TargetsAnswer }) {
  const { pick, bundle } = useOpenTargets();
  const choose = useChooseTarget();
  const clusters = targets.items.filter(({ kind }) => kind === 'context' || kind === 'in_cluster');
  const sandbox = targets.items.find(({ kind }) => kind === 'sandbox');
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
                    <Button variant="filled" size="md" fullWidth onClick={() => choose.mutate(first.id)}>
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
          </Choice>
          <Choice icon={IconPackage} title="Open a bundle">
            <p>Diagnose a cluster offline from collected data. It stays on the console's machine.</p>
            <button type="button" className={css.drop} onClick={bundle}>
              Drop a bundle anywhere on this window
              <small>support bundle, must-gather, cluster-info dump</small>
            </button>
            <span className={css.way}>
              <Button
                variant={first === undefined ? 'filled' : 'default'}
                size="md"
                fullWidth
                onClick={bundle}
              >
                Choose a file
              </Button>
            </span>
          </Choice>
          <Choice icon={IconFlask} title="Explore the sandbox">
            <p>A demo cluster with faults worth finding. Needs no access to anything.</p>
            {sandbox === undefined ? (
              <>
                <p className={css.hint}>Start the console with it:</p>
                <CommandBlock command="operator-console serve --sandbox" />
              </>
            ) : (
              <span className={css.way}>
                <Button size="md" fullWidth onClick={() => choose.mutate(sandbox.id)}>
                  Open the sandbox
                </Button>
              </span>
            )}
          </Choice>
        </div>
      </div>
    </Page>
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
