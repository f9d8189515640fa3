import { stringify } from 'yaml';
import { labels, platformPrefix } from '#shared/platform/labels.ts';
import type { KubeObject } from '../../kube-api/index.ts';
import { ago, type EstateContext } from './context.ts';
import { uidOf } from './pods.ts';
import { servingPlane } from './probes.ts';
import type { ControlPlaneSeed } from './seed-schema.ts';

/** Custom resources of the platform, what Argo CD applies, and the model cards. */
export function platformObjects(context: EstateContext): KubeObject[] {
  const { seed } = context;
  return [
    ...seed.control_planes.map((each) => controlPlane(context, each)),
    ...seed.applications.map((each) => application(context, each)),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'model-cards',
        namespace: 'inference',
        creationTimestamp: ago(context, 20 * 86_400_000),
        labels: { [`${platformPrefix}/model-card`]: 'true' },
      },
      data: Object.fromEntries(
        Object.entries(seed.model_cards).map(([name, card]) => [
          `${name}.yaml`,
          stringify({ name, ...card }),
        ]),
      ),
    },
  ];
}

function controlPlane(context: EstateContext, each: ControlPlaneSeed): KubeObject {
  const { kind, name, namespace, replicas, tenant, runner, probes, phase, users } = each;
  const missing = missingReplicas(context, each);
  const env = Object.entries(each.env).map(([variable, value]) => ({ name: variable, value }));
  const ready = phase === 'Ready';
  const isInstance = kind === 'ClientInstance';
  return {
    apiVersion: `${platformPrefix}/v1alpha1`,
    kind,
    metadata: {
      name,
      namespace,
      uid: uidOf({ kind, name }, namespace),
      generation: 4,
      creationTimestamp: ago(context, 40 * 86_400_000),
      ...(tenant === undefined ? {} : { labels: { [labels.tenant]: tenant } }),
    },
    spec: {
      image: context.image(each.image, each.behind),
      replicas,
      ...(isInstance
        ? {
            tenant,
            controlPlaneRef: { kind: 'CockpitControlPlane', ...servingPlane },
            users,
          }
        : {}),
      probes,
      ...(env.length === 0 ? {} : { env }),
      ...(runner ? { runner: { enabled: true } } : {}),
    },
    status: {
      phase,
      // The one whose rollout has begun is not looked at yet; of the one that does not start it is known.
      observedGeneration: phase === 'Progressing' && !isKnownNotToStart(context, each) ? 3 : 4,
      endpoint: `http://${name}.${namespace}.svc:${runner ? 7102 : 7100}`,
      conditions: [
        {
          type: 'Ready',
          status: ready ? 'True' : 'False',
          reason: ready ? 'BackendReady' : phase === 'Degraded' ? 'ProbesRefused' : 'WaitingForReplicas',
          message: ready
            ? 'The backend is ready.'
            : phase === 'Degraded'
              ? 'spec.probes was refused: the liveness probe must not ask /readyz.'
              : `${replicas - missing} of ${replicas} replicas are ready.`,
          lastTransitionTime: ago(context, 3 * 3_600_000),
        },
      ],
    },
  };
}

function workloadOf({ seed }: EstateContext, { kind, name, namespace }: ControlPlaneSeed) {
  return seed.workloads.find((each) => each.namespace === namespace && each.owner === `${kind}/${name}`);
}

const isKnownNotToStart = (context: EstateContext, plane: ControlPlaneSeed): boolean =>
  workloadOf(context, plane)?.problem?.kind === 'does_not_start';

/** Replicas that its workload does not have, or that do not start. */
function missingReplicas(context: EstateContext, plane: ControlPlaneSeed): number {
  const workload = workloadOf(context, plane);
  if (workload === undefined) return 0;
  return isKnownNotToStart(context, plane) ? workload.replicas : workload.short;
}

function application(
  context: EstateContext,
  { name, path, namespace, sync, health, age, message }: EstateContext['seed']['applications'][number],
): KubeObject {
  const revision = /sha-?([0-9a-f]+)|:([0-9a-f]{40})/.exec(context.image('platform-charts', 0));
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd', creationTimestamp: ago(context, 120 * 86_400_000) },
    spec: {
      project: 'default',
      source: {
        repoURL: 'https://code.northgate.example/northgate/platform-charts.git',
        path,
        targetRevision: 'main',
      },
      destination: { server: 'https://kubernetes.default.svc', namespace },
    },
    status: {
      sync: { status: sync, revision: revision?.[2] ?? revision?.[1] ?? 'main' },
      health: {
        status: health,
        lastTransitionTime: ago(context, age),
        ...(message === undefined ? {} : { message }),
      },
      operationState: {
        operation: { sync: { revision: revision?.[2] ?? revision?.[1] ?? 'main' } },
        phase: 'Succeeded',
        message: 'successfully synced (all tasks run)',
        startedAt: ago(context, age + 20_000),
        finishedAt: ago(context, age),
      },
      reconciledAt: ago(context, 90_000),
    },
  };
}
