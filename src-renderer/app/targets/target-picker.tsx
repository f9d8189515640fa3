import { Button, Popover, UnstyledButton } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Target } from '#shared/api/targets.ts';
import { EndKept } from '../../components/end-kept.tsx';
import { FilterInput } from '../../components/filter-input.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { Spoken } from '../../components/spoken.tsx';
import { sourceOf, stateOf, targetKinds } from '../../components/targets/target-labels.ts';
import { sentenceOf } from '../../core/failure.ts';
import { IconPackage, IconSelector } from '../../core/icons/icons.ts';
import { movedIndex } from '../../core/keys.ts';
import {
  bundleIdOf,
  useChooseTarget,
  useCloseBundle,
  useCurrentTarget,
  useRetryTarget,
  useTargets,
} from '../../core/target-queries.ts';
import css from './target-picker.module.css';
import { TargetRow } from './target-row.tsx';

/** From so many targets on they can be filtered. */
const filterFrom = 6;

/** Characters of a name that stay where there is no room for all: of `arn:aws:eks:...:cluster/payments` the last. */
const endLength = 24;

type TargetPickerProps = {
  readonly opened: boolean;
  readonly onOpened: (opened: boolean) => void;
  /** Opens the dialog that opens a bundle. */
  readonly onBundle: () => void;
};

/** What the pages read, and the way to every other cluster and bundle. */
export function TargetPicker({ opened, onOpened, onBundle }: TargetPickerProps) {
  const targets = useTargets();
  const { id, target } = useCurrentTarget();
  const shown =
    target !== undefined
      ? { state: stateOf(target), name: target.name, words: sourceOf(target) }
      : {
          state: { state: 'unknown' as const, label: 'not there' },
          name: id ?? (targets.data === undefined ? 'Target' : 'No cluster'),
          words: targets.data !== undefined ? '' : targets.isError ? 'not read' : 'being read',
        };
  const quiet = shown.state.state === 'healthy' || target === undefined;
  return (
    <Popover opened={opened} onChange={onOpened} position="bottom-start" width={440} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton
          className={css.target}
          onClick={() => onOpened(!opened)}
          aria-haspopup="dialog"
          title={target?.detail}
        >
          <Glyph state={shown.state.state} />
          <Spoken>Target:</Spoken>
          <span className={css.name} title={shown.name}>
            <EndKept text={shown.name} end={endLength} />
          </span>
          <span className={css.words}>{quiet ? shown.words : shown.state.label.toLowerCase()}</span>
          <IconSelector size={14} stroke={2} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Choices
          items={targets.data?.items ?? []}
          unmeasured={targets.data?.unmeasured ?? []}
          failed={targets.error === null ? undefined : sentenceOf(targets.error)}
          current={id}
          onDone={() => onOpened(false)}
          onBundle={() => {
            onOpened(false);
            onBundle();
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

type ChoicesProps = {
  readonly items: readonly Target[];
  readonly unmeasured: readonly string[];
  /** Why the targets were not listed. */
  readonly failed: string | undefined;
  readonly current: string | undefined;
  readonly onDone: () => void;
  readonly onBundle: () => void;
};

function Choices({ items, unmeasured, failed, current, onDone, onBundle }: ChoicesProps) {
  const [q, setQ] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const choose = useChooseTarget();
  const retry = useRetryTarget();
  const close = useCloseBundle();
  const wanted = q.trim().toLowerCase();
  const shown = items.filter(({ id, name, address = '' }) =>
    `${id} ${name} ${address}`.toLowerCase().includes(wanted),
  );
  const error = retry.error ?? close.error;
  const onArrow = (event: React.KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-target]') ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    rows[movedIndex(at, event.key === 'ArrowDown' ? 1 : -1, rows.length)]?.focus();
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the buttons in it.
    <div
      ref={list}
      className={css.list}
      onKeyDown={onArrow}
      tabIndex={-1}
      // The row of what is read has the focus first, so that the arrows begin there.
      data-autofocus={items.some(({ id }) => id === current) ? undefined : true}
    >
      {items.length >= filterFrom && (
        <div className={css.filter}>
          <FilterInput ref={null} value={q} label="Filter clusters and bundles" onChange={setQ} />
        </div>
      )}
      <div className={css.groups}>
        {targetKinds.map(({ kind, title }) => {
          const of = shown.filter((target) => target.kind === kind);
          if (of.length === 0) return null;
          return (
            <section key={kind} aria-label={title}>
              <h2 className={css.heading}>{title}</h2>
              <ul>
                {of.map((target) => {
                  const bundle = bundleIdOf(target.id);
                  return (
                    <TargetRow
                      key={target.id}
                      target={target}
                      current={target.id === current}
                      working={
                        (retry.isPending && retry.variables === target.id) ||
                        (close.isPending && close.variables === bundle)
                      }
                      onChoose={() => {
                        choose(target.id);
                        onDone();
                      }}
                      onRetry={() => retry.mutate(target.id)}
                      onClose={
                        bundle === undefined || target.closable !== true
                          ? undefined
                          : () => close.mutate(bundle)
                      }
                    />
                  );
                })}
              </ul>
            </section>
          );
        })}
        {shown.length === 0 && (
          <p className={css.none}>
            {failed ??
              (items.length === 0
                ? 'There is no cluster and no bundle yet. A kubeconfig adds clusters; a bundle can be opened here.'
                : 'None of that name.')}
          </p>
        )}
        {unmeasured.map((reason) => (
          <p key={reason} className={css.none}>
            Not read: {reason}
          </p>
        ))}
      </div>
      {error !== null && (
        <p className={css.trouble} role="alert">
          {sentenceOf(error)}
        </p>
      )}
      <div className={css.foot}>
        <Button onClick={onBundle} leftSection={<IconPackage size={14} stroke={2} aria-hidden />}>
          Open a bundle…
        </Button>
      </div>
    </div>
  );
}
