import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How this program was installed, by which follows who replaces it. */
export type InstallationKind =
  | { readonly by: 'itself'; readonly kind: 'appimage'; readonly program: string }
  | { readonly by: 'package manager'; readonly name: 'apt' | 'dnf or zypper'; readonly command: string }
  | { readonly by: 'person'; readonly why: string };

/**
 * Returns how the program was installed: an AppImage names itself in its environment, and a package for a package manager
 * has its kind in a file of its resources, which the packager writes.
 */
export function installationKind(options: {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly resources: string;
  readonly isPackaged: boolean;
}): InstallationKind {
  const { platform, env, resources, isPackaged } = options;
  if (platform === 'linux' && env.APPIMAGE) return { by: 'itself', kind: 'appimage', program: env.APPIMAGE };
  if (!isPackaged) return { by: 'person', why: 'It runs from its sources: update them with git.' };
  const kind = packageType(resources);
  if (kind === 'deb')
    return {
      by: 'package manager',
      name: 'apt',
      command: 'sudo apt update && sudo apt install operator-console',
    };
  if (kind === 'rpm')
    return { by: 'package manager', name: 'dnf or zypper', command: 'sudo dnf upgrade operator-console' };
  return {
    by: 'person',
    why: 'This kind of package does not replace itself: download the new version and put it in its place.',
  };
}

function packageType(resources: string): string | undefined {
  try {
    return readFileSync(join(resources, 'package-type'), 'utf8').trim();
  } catch {
    return undefined;
  }
}
