import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '../base/private-file.ts';

const schema = z.object({
  /** The version that took the place of another one and has not become ready yet. */
  trial: z.object({ version: z.string(), starts: z.number().int().min(0), program: z.string() }).optional(),
  /** Versions that were left because they did not become ready. */
  failed: z.array(z.string()).default([]),
});
type State = z.infer<typeof schema>;

/** Starts that a new version may fail; at the next one the version before takes its place again. */
const mostStarts = 2;

/** Keeps which version was put in place, and the one before it until the new one has become ready. */
export type ReplacedVersion = {
  /** Versions that did not become ready on this machine. */
  failed(): readonly string[];
  /** Puts a package in the place of the program, in one step; the one that was there is kept beside it. */
  replace(program: string, version: string, packageFile: string): void;
  /**
   * Counts a start of this version. When it has failed twice, puts the version before in its place and returns the program
   * to start instead; undefined otherwise.
   */
  countStart(version: string): string | undefined;
  /** Says that this version works: the one before is removed. */
  becameReady(version: string): void;
};

/** Keeps it in `folder`, in a file. */
export function replacedVersion(folder: string): ReplacedVersion {
  const file = join(folder, 'replaced-version.json');
  const read = (): State => {
    try {
      return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      return { failed: [] };
    }
  };
  return {
    failed: () => read().failed,
    replace(program, version, packageFile) {
      const fresh = `${program}.new`;
      // On the program's own file system: only there is a rename one step.
      copyFileSync(packageFile, fresh);
      chmodSync(fresh, 0o755);
      rmSync(before(program), { force: true });
      copyFileSync(program, before(program));
      chmodSync(before(program), 0o755);
      writePrivateFile(file, {
        failed: read().failed,
        trial: { version, starts: 0, program },
      } satisfies State);
      renameSync(fresh, program);
      rmSync(packageFile, { force: true });
    },
    countStart(version) {
      const { trial, failed } = read();
      if (trial === undefined || trial.version !== version) return undefined;
      const starts = trial.starts + 1;
      if (starts <= mostStarts || !existsSync(before(trial.program))) {
        writePrivateFile(file, { failed, trial: { ...trial, starts } } satisfies State);
        return undefined;
      }
      renameSync(before(trial.program), trial.program);
      writePrivateFile(file, { failed: [...failed, version].slice(-20) } satisfies State);
      return trial.program;
    },
    becameReady(version) {
      const { trial, failed } = read();
      if (trial?.version !== version) return;
      rmSync(before(trial.program), { force: true });
      writePrivateFile(file, { failed } satisfies State);
    },
  };
}

function before(program: string): string {
  return `${program}.before`;
}
