import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  isVersion,
  type Manifest,
  manifestName,
  product,
  publicKeyOf,
  readManifest,
  signatureName,
  signManifest,
} from '../../src-main/updates/index.ts';

/** Writes the signed list of updates beside the packages of a release (docs/updates.md). */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    key: { type: 'string' },
    version: { type: 'string' },
    notes: { type: 'string' },
    rollout: { type: 'string', default: '100' },
  },
});
const { key, version = '', notes } = values;
const [first] = positionals;
if (key === undefined || notes === undefined || first === undefined || !isVersion(version)) {
  process.stderr.write(
    'usage: write-update-list.ts --key KEY.pem --version 1.4.0 --notes FILE [--rollout PERCENT] PACKAGE…\n',
  );
  process.exit(2);
}
const manifest: Manifest = {
  product,
  version,
  released: new Date().toISOString(),
  notes: readFileSync(notes, 'utf8').trim(),
  rollout: Number(values.rollout),
  files: positionals.map((path) => {
    const content = readFileSync(path);
    return {
      kind: 'appimage',
      arch: /arm64|aarch64/.test(path) ? 'arm64' : 'x64',
      name: basename(path),
      size: content.length,
      sha512: createHash('sha512').update(content).digest('hex'),
    };
  }),
};
const bytes = Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`);
const privateKey = readFileSync(key, 'utf8');
const signature = signManifest(bytes, privateKey);
// What the program would refuse is not written.
readManifest(bytes, signature, [publicKeyOf(privateKey)]);
writeFileSync(join(dirname(first), manifestName), bytes);
writeFileSync(join(dirname(first), signatureName), `${signature}\n`);
process.stdout.write(`${manifestName} of ${version}, for a build with the key ${publicKeyOf(privateKey)}\n`);
