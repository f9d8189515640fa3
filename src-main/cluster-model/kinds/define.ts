import type { Named, Resource } from './types.ts';

type Kind<T extends Named> = Omit<Resource<T>, 'versions' | 'namespaced' | 'watchable' | 'explains'> & {
  readonly versions?: Resource['versions'];
  readonly namespaced?: boolean;
  readonly watchable?: boolean;
  readonly explains?: boolean;
};

/** A kind with what most of them have: one version, a namespace, and watches. */
export const define = <T extends Named>(kind: Kind<T>): Resource<T> => ({
  versions: ['v1'],
  namespaced: true,
  watchable: true,
  explains: false,
  ...kind,
});
