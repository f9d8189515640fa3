import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type AnyRequest,
  type AnyResponse,
  type BackendLog,
  RouteRefused,
  readWebFiles,
  webApp,
} from '../serving/index.ts';

/**
 * Headers of every page and file. There is no X-Frame-Options and no frame-ancestors: the console shows the studio
 * in a frame of its own origin (CON-058).
 */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

/** The web bundle in `dir`, read once. Without a bundle every page answers 503 with the command that builds it. */
export async function studioWebApp(
  dir: string | undefined,
  log: BackendLog,
): Promise<(request: AnyRequest, response: AnyResponse) => void> {
  const files = dir === undefined ? new Map() : await readWebFiles(dir, 'STUDIO_WEB_DIR');
  if (files.size > 0)
    // Vite puts a digest of the content in the name of everything under assets/.
    return webApp(files, { headers, ownPaths: false, digestedUnder: '/assets/', name: 'The studio' });
  log.warn({ dir }, 'the studio has no web bundle: build it with npm run build');
  return () => {
    throw new RouteRefused(
      503,
      'The studio has no web bundle: build it with npm run build, then start the studio again.',
    );
  };
}

/** The bundle `npm run build` writes, found from the source tree and from the packaged program alike. */
export function builtWebDir(): string | undefined {
  for (let dir = import.meta.dirname; ; dir = dirname(dir)) {
    const built = join(dir, 'out', 'studio-web');
    if (existsSync(join(built, 'index.html'))) return built;
    if (dirname(dir) === dir) return undefined;
  }
}
