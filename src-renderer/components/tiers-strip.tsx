import type { Tier } from '#shared/api/fleet.ts';
import { healthStates } from './health-states.ts';
import { asSentence } from './list/sentence.ts';
import { State } from './state.tsx';
import css from './tiers-strip.module.css';

/** The inference tiers, each with how it stands and what serves it. */
export function TiersStrip({ tiers }: { readonly tiers: readonly Tier[] }) {
  if (tiers.length === 0) return null;
  return (
    <ul className={css.tiers} aria-label="Inference tiers">
      {tiers.map(({ name, state, reason, models, replicas_ready, replicas_desired }) => (
        <li
          key={name}
          className={css.tier}
          title={reason === undefined ? undefined : asSentence(reason)}
          data-state={state}
        >
          <span className={css.line}>
            <b>{name}</b>
            <State {...healthStates[state]} />
          </span>
          <span className={css.models}>{models.length === 0 ? 'model not known' : models.join(', ')}</span>
          <span className={css.models}>
            {reason === undefined
              ? `${replicas_ready} of ${replicas_desired} replicas ready`
              : `${replicas_ready} of ${replicas_desired}, ${reason}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
