import { redactValue } from '../../../cluster-model/index.ts';
import type { Backend } from '../evidence/backends.ts';
import { answersOf } from '../evidence/health.ts';
import type { Reading } from '../evidence/reading.ts';
import { type Check, type Found, found } from './found.ts';

const each =
  (
    look: (backend: Backend, reading: Reading) => readonly { readonly text: string; readonly ref: string }[],
  ): Check =>
  (reading) =>
    reading.backends.flatMap((backend) =>
      look(backend, reading).map(
        ({ text, ref }): Found => found(backend.resource, text, { owner: backend.owner, ref }),
      ),
    );

/** Fields of the live Deployment that the operator puts back (BCK-083). */
export const controlPlaneDrift = each(({ row }) =>
  row.drift.map(({ field, live, wanted, manager }) => {
    const name = /^env\.(.+)/.exec(field)?.[1];
    const shown = (value: string): string => (name === undefined ? value : redactValue(name, value));
    const by = manager === undefined ? '' : `, set by ${manager}`;
    return { text: `${field} is ${shown(live)}${by}; the resource says ${shown(wanted)}`, ref: field };
  }),
);

export const controlPlaneUnobserved = each(({ row }) =>
  row.observed === false
    ? [{ text: 'status.observedGeneration is behind metadata.generation', ref: 'status.observedGeneration' }]
    : [],
);

export const controlPlaneWithoutDeployment = each(({ missing, row }) =>
  missing ? [{ text: `There is no Deployment ${row.name} in ${row.namespace}`, ref: 'its Deployment' }] : [],
);

export const probesRefused = each(({ row }) =>
  row.probe_refusals.map((text) => ({ text, ref: 'spec.probes' })),
);

export const probesDisabled = each(({ row }) =>
  row.probes_disabled ? [{ text: 'spec.probes.disabled is true', ref: 'spec.probes.disabled' }] : [],
);

/**
 * Finds backends that report not ready but still receive requests, because the readiness probe uses another
 * path (BCK-036). While the backend is ready there is no consequence.
 */
export const readinessNotOnReadyz = each(({ row, part, resource }, { health }) => {
  if (part === 'campaign' || row.probes_disabled) return [];
  const path = row.live_probes?.readiness?.path ?? row.effective_probes.readiness?.path;
  const readyz = answersOf(health, resource)?.find((answer) => answer.path === '/readyz')?.answer;
  return path === undefined || path === '/readyz' || readyz?.state !== 'fail'
    ? []
    : [
        {
          text: `its readiness probe asks ${path}, while ${readyz.detail}`,
          ref: 'spec.probes.readinessPath',
        },
      ];
});
