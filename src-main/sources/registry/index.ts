import type { Registry } from './types.ts';

export { createLiveRegistry } from './live-registry.ts';
export { createRegistry } from './oci-registry.ts';
export type * from './types.ts';

/** A console without a registry reads nothing from one. */
export const noRegistry: Registry = {
  manifest: async () => ({ ok: false, reason: 'no registry is attached' }),
  close: () => undefined,
};
