import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from '../../../../resources/build/precompress.ts';

export default defineConfig({
  root: import.meta.dirname,
  // The console mounts the studio there (CON-044); the studio itself serves at its root.
  base: '/studio/',
  plugins: [react(), precompress()],
  build: {
    outDir: resolve(import.meta.dirname, '../../../../out/studio-web'),
    emptyOutDir: true,
    target: 'chrome114',
    modulePreload: { polyfill: false },
    // The content security policy allows no data: scripts and styles; small files stay files.
    assetsInlineLimit: 0,
  },
});
