import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { inWords } from '../bundle-error.ts';
import { findLayout } from '../layouts/index.ts';
import { createOpenFiles } from '../open-files.ts';
import { openSource } from '../source.ts';
import { placed, sectionMarker } from './log-places.ts';
import type { FromScan, ScanStart } from './messages.ts';
import { scanFiles } from './scan-files.ts';

/** The thread that looks through the logs of a bundle: apart from the one that holds it, so that neither waits. */

/** Milliseconds between two words of how far it is. */
const everyMs = 100;

if (parentPort !== null) await scan(parentPort, workerData);

async function scan(port: MessagePort, { path, literals }: ScanStart): Promise<void> {
  const tell = (message: FromScan): void => port.postMessage(message);
  const open = createOpenFiles();
  try {
    const source = await openSource(path, open);
    let toldAt = performance.now();
    const { files, paths, links, looked, flaws } = await scanFiles({
      source,
      literals: [...literals, sectionMarker],
      onRead(read) {
        const now = performance.now();
        if (now - toldAt < everyMs) return;
        toldAt = now;
        tell({ kind: 'progress', read, total: source.bytes });
      },
    });
    const found = findLayout(paths);
    const logs = files.flatMap((file) => placed(file, literals.length, found, links.get(file.path) ?? []));
    tell({ kind: 'end', scan: { logs, ...looked, gaps: flaws } });
  } catch (error) {
    tell({ kind: 'refused', reason: inWords(error) });
  } finally {
    await open.closeAll();
  }
}
