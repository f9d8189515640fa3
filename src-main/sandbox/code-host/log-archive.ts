import { commitId } from './builders.ts';
import { type LogStep, logSteps } from './log-text.ts';
import type { SandboxRepository, SandboxRun } from './world.ts';
import { zip } from './zip.ts';

/**
 * A run's log archive as the code host packs it: one file a job at the top, and a folder a job with a file for each of
 * its steps.
 */
export function logArchive(org: string, repo: SandboxRepository, run: SandboxRun): Promise<Buffer> {
  const ran = run.jobs.filter(({ conclusion }) => conclusion !== 'skipped');
  const entries = ran.flatMap((job, index) => {
    const steps = logSteps({ org, repo: repo.name, language: repo.language, run, job });
    const folder = fileName(job.name);
    return [
      { name: `${index}_${folder}.txt`, text: allOf(steps) },
      ...steps.map((step, number) => ({
        name: `${folder}/${number + 1}_${fileName(step.name)}.txt`,
        text: step.text(),
      })),
    ];
  });
  return zip(entries, new Date(run.updatedAt));
}

function* allOf(steps: readonly LogStep[]): Iterable<string> {
  for (const step of steps) yield* step.text();
}

/** Characters that no file system takes are left out, as the code host does. */
function fileName(name: string): string {
  return name.replace(/[\\/:*?"<>|]/g, '').slice(0, 90);
}

/** A signature over what an archive's address names, for the server's secret. */
export function signatureOf(secret: string, ...facts: readonly (string | number)[]): string {
  return commitId(secret, ...facts);
}
