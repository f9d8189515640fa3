import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../../../../base/error-message.ts';
import { createOpenFiles } from '../archive/open-files.ts';
import { openSource } from '../archive/source.ts';
import { locate } from '../layouts/index.ts';
import { sectionMarker } from './log-locations.ts';
import type { FromScan, ScanStart } from './messages.ts';
import { type ScannedFile, scanFiles } from './scan-files.ts';

/** The thread that scans the logs of a bundle: apart from the one that holds it, so that neither waits. */

/** Milliseconds between two words of how far it is. */
const everyMs = 100;
/** Hits that are buffered until they are reported. */
const mostKept = 200;

if (parentPort !== null) await scan(parentPort, workerData);

async function scan(port: MessagePort, { path, literals }: ScanStart): Promise<void> {
  const tell = (message: FromScan): void => port.postMessage(message);
  const open = createOpenFiles();
  const gaps: string[] = [];
  let files: ScannedFile[] = [];
  let kept = 0;
  const tellFound = (): void => {
    if (files.length > 0) tell({ kind: 'found', files });
    files = [];
    kept = 0;
  };
  try {
    const source = await openSource(path, open);
    let reportedAt = performance.now();
    const { survey, looked, flaws } = await scanFiles({
      source,
      literals: [...literals, sectionMarker],
      onRead(read) {
        const now = performance.now();
        if (now - reportedAt < everyMs) return;
        reportedAt = now;
        tell({ kind: 'progress', read, total: source.bytes });
      },
      onFile(file) {
        gaps.push(file.path);
        files.push(file);
        kept += file.hits.length;
        if (kept >= mostKept) tellFound();
      },
    });
    tellFound();
    const { found, links } = survey;
    const holdings = gaps.map((file) =>
      found === undefined ? undefined : locate(found, [file, ...(links.get(file) ?? [])])?.holding,
    );
    tell({ kind: 'end', holdings, ...looked, gaps: flaws });
  } catch (error) {
    tell({ kind: 'refused', reason: errorMessage(error) });
  } finally {
    await open.closeAll();
  }
}
