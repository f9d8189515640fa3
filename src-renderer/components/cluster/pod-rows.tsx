import { Button, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { Pod } from '#shared/api/cluster.ts';
import { healthWorstFirst } from '#shared/health/worst-first.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { IconChevronDown, IconChevronRight } from '../../core/icons/icons.ts';
import { ActMenu } from '../acts/act-menu.tsx';
import { CopyIcon } from '../copy-icon.tsx';
import { ExplainLink } from '../explain-link.tsx';
import { formatCount } from '../format-quantity.ts';
import { Glyph } from '../glyph.tsx';
import { healthStates, needsExplaining } from '../health-states.ts';
import { asSentence } from '../list/sentence.ts';
import { PageLink } from '../page-link.tsx';
import { TimeAgo } from '../time-ago.tsx';
import { PodContainers } from './pod-containers.tsx';
import css from './pod-rows.module.css';

/** Pods drawn at first, and more with each press. */
const step = 50;

/** Pods, the worst first; each opens to its containers and the ways on. */
export function PodRows({ pods }: { readonly pods: readonly Pod[] }) {
  const [shown, setShown] = useState(step);
  const sorted = [...pods].sort(
    (a, b) =>
      healthWorstFirst.indexOf(a.state) - healthWorstFirst.indexOf(b.state) || a.name.localeCompare(b.name),
  );
  return (
    <>
      <ul className={css.pods}>
        {sorted.slice(0, shown).map((pod) => (
          <PodRow key={`${pod.namespace}/${pod.name}`} pod={pod} />
        ))}
      </ul>
      {sorted.length > shown && (
        <Button variant="subtle" onClick={() => setShown(shown + step * 4)}>
          Show more of the other {formatCount(sorted.length - shown, 'pod')}
        </Button>
      )}
    </>
  );
}

function PodRow({ pod }: { readonly pod: Pod }) {
  const [opened, setOpened] = useState(false);
  const target = useClusterTarget();
  const { name, namespace, status, state, reason, ready, containers, restarts, node } = pod;
  const long = containers.filter(({ kind }) => kind !== 'init').length;
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  const within = { ...(target !== undefined && { target }) };
  return (
    <li className={css.pod}>
      <UnstyledButton className={css.head} onClick={() => setOpened(!opened)} aria-expanded={opened}>
        <Glyph state={healthStates[state].state} />
        <code className={css.name}>{name}</code>
        <span className={css.status} data-state={state}>
          {status}
        </span>
        <Chevron size={14} stroke={2} aria-hidden />
      </UnstyledButton>
      {reason !== undefined && <p className={css.reason}>{asSentence(reason)}</p>}
      {opened && (
        <div className={css.more}>
          <p className={css.facts}>
            {ready} of {formatCount(long, 'container')} ready, {formatCount(restarts, 'restart')}
            {node !== undefined && (
              <>
                , on <PageLink to={{ tab: 'nodes', record: node, ...within }}>{node}</PageLink>
              </>
            )}
            {pod.created_at !== undefined && (
              <>
                , started <TimeAgo at={Date.parse(pod.created_at)} />
              </>
            )}
          </p>
          <PodContainers containers={containers} />
          <p className={css.ways}>
            <PageLink to={{ tab: 'logs', namespace, name, ...within }}>Logs</PageLink>
            {restarts > 0 && (
              <PageLink to={{ tab: 'logs', namespace, name, previous: 'true', ...within }}>
                Previous container
              </PageLink>
            )}
            <PageLink to={{ tab: 'namespaces', record: namespace, kind: 'Pod', name, ...within }}>
              YAML
            </PageLink>
            {needsExplaining(state) && (
              <ExplainLink object={pod.owner ?? { kind: 'Pod', name, namespace }} target={target} />
            )}
            <ActMenu object={{ group: '', version: 'v1', kind: 'Pod', namespace, name }} />
            <CopyIcon text={() => name} label={`Copy the name of ${name}`} />
          </p>
        </div>
      )}
    </li>
  );
}
