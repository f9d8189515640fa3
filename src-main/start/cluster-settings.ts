import type { LiveSettings } from '../features/settings/index.ts';

/** The current cluster settings; names keep their case. */
export type ClusterSettings = {
  readonly isWritable: (target: string) => boolean;
  readonly namespaces: () => readonly string[];
};

/** The live settings of clusters. */
export function liveClusterSettings(settings: Pick<LiveSettings, 'valueOf'>): ClusterSettings {
  const names = (variable: string): readonly string[] =>
    (settings.valueOf(variable) ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  return {
    isWritable: (target) => names('CONSOLE_WRITABLE_TARGETS').includes(target),
    namespaces: () => names('CONSOLE_NAMESPACES'),
  };
}
