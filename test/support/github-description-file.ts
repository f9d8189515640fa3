import { join } from 'node:path';
import { repoRoot } from './repo-root.ts';

/** The part of GitHub's OpenAPI description that `refresh-github-description.ts` keeps. */
export const gitHubDescriptionFile = join(repoRoot, 'test/fixtures/github-description.json');
