import { Button, Popover } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { ActId, ActObject } from '#shared/api/acts.ts';
import { actableQuery } from '../../core/act-queries.ts';
import { sentenceOf } from '../../core/failure.ts';
import { loadPart } from '../../core/load-part.tsx';
import { useCurrentTarget } from '../../core/target-queries.ts';
import { SkeletonRows } from '../skeleton.tsx';
import css from './act-menu.module.css';

const ActDialog = loadPart(async () => (await import('./act-dialog.tsx')).ActDialog);

type ActMenuProps = {
  readonly object: ActObject;
  /** Called when an act was carried out. */
  readonly onDone?: () => void;
};

/** What can be done to an object of a live cluster: each act is previewed before it is carried out. */
export function ActMenu({ object, onDone }: ActMenuProps) {
  const { id, target } = useCurrentTarget();
  const [opened, setOpened] = useState(false);
  const [chosen, setChosen] = useState<ActId>();
  // What is in a bundle cannot be changed.
  if (id === undefined || target === undefined || target.kind === 'bundle') return null;
  return (
    <>
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-start"
        width={280}
        trapFocus
        returnFocus
        withinPortal
      >
        <Popover.Target>
          <Button size="xs" aria-haspopup="dialog" onClick={() => setOpened(!opened)}>
            Actions
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={`Actions on ${object.kind} ${object.name}`}>
          <Offered
            target={id}
            object={object}
            onChoose={(act) => {
              setOpened(false);
              setChosen(act);
            }}
          />
        </Popover.Dropdown>
      </Popover>
      {chosen !== undefined && (
        <Suspense fallback={null}>
          <ActDialog
            asked={{ target: id, act: chosen, object, args: {} }}
            onClose={() => setChosen(undefined)}
            {...(onDone !== undefined && { onDone })}
          />
        </Suspense>
      )}
    </>
  );
}

type OfferedProps = {
  readonly target: string;
  readonly object: ActObject;
  readonly onChoose: (act: ActId) => void;
};

function Offered({ target, object, onChoose }: OfferedProps) {
  const { data, error } = useQuery(actableQuery(target, object));
  if (error !== null && data === undefined) return <p className={css.note}>{sentenceOf(error)}</p>;
  if (data === undefined) return <SkeletonRows rows={3} />;
  if (data.acts.length === 0)
    return <p className={css.note}>Nothing can be done to {object.kind} objects here.</p>;
  const reasons = new Set(data.acts.flatMap(({ reason }) => (reason === undefined ? [] : [reason])));
  return (
    <>
      <ul className={css.acts}>
        {data.acts.map(({ act, title, allowed }) => (
          <li key={act}>
            <button type="button" className={css.act} disabled={!allowed} onClick={() => onChoose(act)}>
              {title}
            </button>
          </li>
        ))}
      </ul>
      {[...reasons].map((reason) => (
        <p key={reason} className={css.note}>
          {reason}
        </p>
      ))}
    </>
  );
}
