import { z } from 'zod';
import { platformPrefix } from '#shared/platform/labels.ts';
import { define } from './define.ts';
import { conditions, list, metadata, number, optional, text } from './fields.ts';
import { envVariable } from './pods.ts';

const platformSpec = {
  image: text,
  replicas: number,
  env: list(envVariable),
  /** Read by `effectiveProbes` (src-shared/platform/probes.ts), which says what is wrong with it. */
  probes: z.unknown().optional(),
  runner: optional(z.unknown()),
};
const platformStatus = optional(
  z.object({ phase: text, conditions, observedGeneration: number, endpoint: text }),
);

const controlPlaneKind = (plural: string, kind: string) =>
  define({
    group: platformPrefix,
    versions: ['v1alpha1'],
    plural,
    kind,
    schema: z.object({ metadata, spec: z.object(platformSpec), status: platformStatus }),
  });

export const cockpitControlPlanes = controlPlaneKind('cockpitcontrolplanes', 'CockpitControlPlane');
export const campaignControlPlanes = controlPlaneKind('campaigncontrolplanes', 'CampaignControlPlane');

export const clientInstances = define({
  group: platformPrefix,
  versions: ['v1alpha1'],
  plural: 'clientinstances',
  kind: 'ClientInstance',
  schema: z.object({
    metadata,
    spec: z.object({
      ...platformSpec,
      tenant: text,
      controlPlaneRef: optional(z.object({ kind: text, name: z.string(), namespace: text })),
      users: list(z.unknown()),
    }),
    status: platformStatus,
  }),
});
