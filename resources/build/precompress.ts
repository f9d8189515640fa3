import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(?:js|css|html|svg|json|woff2?)$/;
const smallest = 1024;

/** Writes `.br` and `.gz` beside every compressible file of the bundle, so that the server never compresses. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle(options) {
      const dir = options.dir ?? '';
      for (const file of await readdir(dir, { recursive: true })) {
        if (!compressible.test(file)) continue;
        const bytes = await readFile(join(dir, file));
        if (bytes.length < smallest) continue;
        const brotli = await promisify(brotliCompress)(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        });
        await writeFile(join(dir, `${file}.br`), brotli);
        await writeFile(join(dir, `${file}.gz`), await promisify(gzip)(bytes, { level: 9 }));
      }
    },
  };
}
