import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns a file of `resources/sandbox/voice`, in the source tree, the build and the packaged program alike. */
export function voiceResource(name: string): string {
  for (let above = import.meta.dirname; ; above = dirname(above)) {
    const file = join(above, 'resources', 'sandbox', 'voice', name);
    if (existsSync(file)) return file;
    if (dirname(above) === above) throw new Error(`resources/sandbox/voice/${name} is missing`);
  }
}
