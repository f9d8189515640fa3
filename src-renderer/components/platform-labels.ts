import type { Platform } from '#shared/api/system.ts';
import { readAddress } from '../core/address.ts';

/** The platform in the top bar: a dot, a name and a few words. */
export type PlatformLabels = {
  readonly dot: 'healthy' | 'failing' | 'idle' | 'unknown';
  readonly name: string;
  readonly label: string;
};

/** Returns the label of the platform; undefined has not been read (yet). */
export function platformLabel(platform: Platform | undefined, failed: boolean): PlatformLabels {
  if (platform === undefined)
    return { dot: 'unknown', name: 'Platform', label: failed ? 'not read' : 'being read' };
  const name = platform.sandbox ? 'Sandbox' : hostOf(platform.studio.upstream);
  const took =
    platform.studio.took_ms === undefined ? '' : `, ${Math.max(1, Math.round(platform.studio.took_ms))} ms`;
  switch (platform.studio.state) {
    case 'ready':
      return { dot: 'healthy', name, label: `studio answers${took}` };
    case 'key_missing':
      return { dot: 'idle', name, label: 'studio not set up' };
    case 'unreachable':
      return { dot: 'failing', name, label: 'studio does not answer' };
  }
}

/** A bare `host:port` also reads as an address: of a scheme named like the host, and without a host. */
function hostOf(address: string): string {
  return readAddress(address)?.host || address;
}
