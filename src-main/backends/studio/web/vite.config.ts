import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { buildLogger, quietChecks } from '../../../../resources/build/build-logger.ts';
import { listPackages } from '../../../../resources/build/bundled-packages.ts';
import { precompress } from '../../../../resources/build/precompress.ts';

const root = resolve(import.meta.dirname, '../../../..');

export default defineConfig({
  root: import.meta.dirname,
  // The console mounts the studio there (CON-044); the studio itself serves at its root.
  base: '/studio/',
  customLogger: buildLogger(),
  plugins: [react(), precompress(), listPackages(root, 'studio')],
  build: {
    outDir: resolve(root, 'out/studio-web'),
    emptyOutDir: true,
    target: 'chrome114',
    rolldownOptions: { checks: quietChecks },
    modulePreload: { polyfill: false },
    // The content security policy allows no data: scripts and styles; small files stay files.
    assetsInlineLimit: 0,
  },
});
