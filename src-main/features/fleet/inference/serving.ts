import type { Workload } from '#shared/api/cluster.ts';
import type { Tier } from '#shared/api/fleet.ts';
import { labels, platformPrefix } from '#shared/platform/labels.ts';
import type {
  HealthVerdict,
  Listing,
  ObjectOf,
  PodObject,
  TemplateContainer,
} from '../../../cluster-model/index.ts';
import { keyOf, resources } from '../../../cluster-model/index.ts';
import type { Cluster } from '../../../sources/cluster/index.ts';
import type { RunningRead } from '../running.ts';
import { worstOf } from '../worst-verdict.ts';
import {
  type ConfigMapData,
  commandWords,
  environmentOf,
  refersToConfigMaps,
} from './engines/command-words.ts';
import { type EngineSettings, engineSettings } from './engines/engine-settings.ts';

/** A workload that serves an inference tier, with its engine's settings. */
export type Serving = HealthVerdict & {
  readonly kind: Workload['kind'];
  readonly name: string;
  readonly namespace: string;
  readonly tier: string;
  readonly replicas: { readonly ready: number; readonly desired: number };
  readonly containers: readonly TemplateContainer[];
  /** The one that serves: the first whose engine is known, else the first. */
  readonly container: TemplateContainer | undefined;
  readonly settings: EngineSettings;
  /** Labels of its pods: what a Service finds them by. */
  readonly podLabels: Readonly<Record<string, string>>;
  readonly pods: readonly PodObject[];
};

export type ServingRead = {
  readonly workloads: readonly Serving[];
  readonly listings: readonly Listing<unknown>[];
};

/** Annotation that names the served model, where neither arguments nor variables do. */
const modelAnnotation = `${platformPrefix}/model`;

/** Every workload with the tier label, as deployed. */
export async function readServing(cluster: Cluster, read: RunningRead): Promise<ServingRead> {
  const { deployments, statefulSets, daemonSets, pods, replicaSets } = read.listings;
  const found = [
    ...deployments.items.map((item) => ({ kind: 'Deployment' as const, item })),
    ...statefulSets.items.map((item) => ({ kind: 'StatefulSet' as const, item })),
    ...daemonSets.items.map((item) => ({ kind: 'DaemonSet' as const, item })),
  ].filter(({ item }) => tierOf(item) !== '');
  const listings = [deployments, statefulSets, daemonSets, pods, replicaSets];
  if (found.length === 0) return { workloads: [], listings };
  const referring = found.some(({ item }) => item.spec.template.spec?.containers.some(refersToConfigMaps));
  // ConfigMaps are many, and rarely needed here.
  const configMaps = referring ? [await cluster.list(resources.configMaps)] : [];
  const dataOf = configMapData(configMaps.flatMap(({ items }) => items));
  const { workloads, podsOf } = read.judged;
  const rows = new Map(workloads.map(({ row }) => [keyOf(row), row]));
  return {
    workloads: found.map(({ kind, item }): Serving => {
      const { name, namespace = '', annotations } = item.metadata;
      const key = keyOf({ kind, name, namespace });
      const { ready = 0, desired = 0, state = 'not_read', reason } = rows.get(key) ?? {};
      return {
        kind,
        name,
        namespace,
        tier: tierOf(item),
        replicas: { ready, desired },
        podLabels: item.spec.template.metadata?.labels ?? {},
        pods: podsOf.get(key)?.map(({ pod }) => pod) ?? [],
        ...servedBy(
          item.spec.template.spec?.containers ?? [],
          dataOf(namespace),
          annotations[modelAnnotation],
        ),
        state,
        ...(reason === undefined ? {} : { reason }),
      };
    }),
    listings: [...listings, ...configMaps],
  };
}

type Labelled = {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly template: {
      readonly metadata?: { readonly labels: Readonly<Record<string, string>> } | undefined;
    };
  };
};

function tierOf({ metadata, spec }: Labelled): string {
  return metadata.labels[labels.tier] ?? spec.template.metadata?.labels[labels.tier] ?? '';
}

function configMapData(
  items: readonly ObjectOf<typeof resources.configMaps>[],
): (namespace: string) => ConfigMapData {
  const byName = new Map(
    items.map(({ metadata, data }) => [`${metadata.namespace}/${metadata.name}`, data] as const),
  );
  return (namespace) => (name) => byName.get(`${namespace}/${name}`);
}

function servedBy(
  containers: readonly TemplateContainer[],
  configMap: ConfigMapData,
  annotated: string | undefined,
): Pick<Serving, 'containers' | 'container' | 'settings'> {
  const read = containers.map((container) => {
    const variables = environmentOf(container, configMap);
    const argv = commandWords(container, variables);
    const withoutProgram = container.command.length === 0;
    return {
      container,
      settings: engineSettings({ argv, withoutProgram, variables, image: container.image ?? '' }),
    };
  });
  const { container, settings = {} } =
    read.find(({ settings: { engine } }) => engine !== undefined) ?? read[0] ?? {};
  return {
    containers,
    container,
    settings: {
      ...settings,
      ...(settings.model === undefined && annotated !== undefined ? { model: annotated } : {}),
    },
  };
}

/** The tiers that some workloads serve, by name: each as grave as its gravest workload that has replicas. */
export function tiersOf(workloads: readonly Serving[]): Tier[] {
  const byName = Map.groupBy(workloads, ({ tier }) => tier);
  return [...byName]
    .map(([name, own]): Tier => {
      const { state, reason } = worstOf(own);
      return {
        name,
        state,
        ...(reason === undefined ? {} : { reason }),
        models: [...new Set(own.flatMap(({ settings: { model } }) => model ?? []))],
        replicas_ready: own.reduce((sum, { replicas }) => sum + replicas.ready, 0),
        replicas_desired: own.reduce((sum, { replicas }) => sum + replicas.desired, 0),
      };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
