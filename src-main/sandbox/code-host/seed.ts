import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { organisation, repository, world } from './builders.ts';
import { appRepository, platformRepository } from './seed-repositories.ts';
import { type Seed, seedSchema } from './seed-schema.ts';
import type { World } from './world.ts';

/**
 * The estate of resources/sandbox/code-host.yaml, its ages turned into times before `now` (epoch ms). The same at each
 * call but for those times: ids and commits stay. Throws when the seed is missing or not as it should be.
 */
export function seededWorld(now: number): World {
  const seed = readSeed();
  const repositories = [
    ...seed.platform.map((spec) => platformRepository(spec, seed, now)),
    ...seed.apps.map((spec) => appRepository(spec, seed, now)),
  ];
  const made = world(repositories);
  for (const other of seed.others) {
    made.organisations.push(
      organisation({
        login: other.organisation,
        repositories: other.repositories.map((spec) => repository(spec)),
      }),
    );
  }
  return made;
}

function readSeed(): Seed {
  const file = seedFile();
  return seedSchema.parse(parse(readFileSync(file, 'utf8')));
}

/** Above this file in the source tree, in the build and in the packaged program alike. */
function seedFile(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const file = join(folder, 'resources', 'sandbox', 'code-host.yaml');
    if (existsSync(file)) return file;
    if (dirname(folder) === folder) throw new Error('resources/sandbox/code-host.yaml is missing');
  }
}
