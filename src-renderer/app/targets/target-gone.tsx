import { Button } from '@mantine/core';
import type { Target } from '#shared/api/targets.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { Page } from '../../components/page/page.tsx';
import { sourceOf, stateOf } from '../../components/targets/target-labels.ts';
import { addressWith } from '../../core/address-with.ts';
import { IconPackage } from '../../core/icons/icons.ts';
import { useOpenTargets } from '../../core/open-targets.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { tabs } from '../../core/tabs.ts';
import { bundleIdOf, useRememberTarget } from '../../core/target-queries.ts';
import css from './target-gone.module.css';

/** Targets listed here; the picker has all. */
const mostListed = 8;

type TargetGoneProps = {
  /** The target that the address names. */
  readonly id: string;
  readonly others: readonly Target[];
  readonly notListed: readonly string[];
};

/** Instead of a page of a target that does not exist: what the address names, why it may be gone, and the others. */
export function TargetGone({ id, others, notListed }: TargetGoneProps) {
  const [address] = usePageAddress();
  const { pick, bundle } = useOpenTargets();
  const isBundle = bundleIdOf(id) !== undefined;
  const usable = others.filter(({ state }) => state !== 'broken');
  return (
    <Page title={tabs.find(({ tab }) => tab === address.tab)?.title ?? 'Overview'}>
      <FailurePanel
        state="idle"
        label="Not found"
        title={isBundle ? 'This bundle is not open' : `There is no target ${id}`}
        actions={
          <>
            {usable.length > 0 && <Button onClick={pick}>Choose another target</Button>}
            <Button onClick={bundle} leftSection={<IconPackage size={14} stroke={2} aria-hidden />}>
              Open a bundle
            </Button>
          </>
        }
      >
        <p>
          The address names <code>{id}</code>.{' '}
          {isBundle
            ? 'It was closed, or the console restarted. Open the bundle again, or choose another target.'
            : 'No context of that name is in the kubeconfig of this console. It was renamed or removed, or the link comes from another console.'}
        </p>
        {notListed.map((reason) => (
          <p key={reason}>It may be among the targets that were not read: {reason}</p>
        ))}
        {usable.length > 0 && (
          <>
            <p>The same page of another target:</p>
            <ul className={css.others} aria-label="Other targets">
              {usable.slice(0, mostListed).map((target) => (
                <Other key={target.id} target={target} />
              ))}
            </ul>
            {usable.length > mostListed && <p>{usable.length - mostListed} more are in the target picker.</p>}
          </>
        )}
      </FailurePanel>
    </Page>
  );
}

function Other({ target }: { readonly target: Target }) {
  const [address, go] = usePageAddress();
  const href = useHref();
  const remember = useRememberTarget();
  const to = addressWith(address, { target: target.id });
  return (
    <li>
      <a
        className={css.other}
        href={href(to)}
        onClick={(event) => {
          if (!openedByPlainClick(event)) return;
          go(to);
          remember.mutate(target.id);
        }}
      >
        <Glyph state={stateOf(target).state} />
        <span className={css.name}>{target.name}</span>
        <span className={css.facts}>
          {sourceOf(target)}, {stateOf(target).label.toLowerCase()}
        </span>
      </a>
    </li>
  );
}
