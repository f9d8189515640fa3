import type { StoredFile } from '../archive/stored-file.ts';

/** One container's part of a pod's log file in a cluster-info dump. */
export type LogSection = { readonly container: string; readonly from: number; readonly to: number };

type Marker = {
  readonly edge: 'START' | 'END';
  readonly container: string;
  readonly from: number;
  readonly to: number;
};

/** Bytes that a marker may take: three names of at most 253 bytes, and its words. */
const longestMarker = 1024;

/**
 * Finds each container's log in the single file of a pod's logs (kubectl,
 * pkg/cmd/clusterinfo/clusterinfo_dump.go). The end marker follows the last byte of the log, without a line
 * end where the log has none. Log lines may look like markers: a start counts only at the start of the file
 * or right after an end, an end only before a start or the end of the file.
 */
export async function logSections(
  file: StoredFile,
  of: { readonly namespace: string; readonly pod: string },
): Promise<readonly LogSection[]> {
  const markers = await findMarkers(file, `${of.namespace}/${of.pod}`);
  const starts = new Set(markers.filter(({ edge }) => edge === 'START').map(({ from }) => from));
  const sections: LogSection[] = [];
  let open: Marker | undefined;
  let free = 0;
  for (const marker of markers) {
    if (open === undefined) {
      if (marker.edge === 'START' && marker.from === free) open = marker;
    } else if (
      marker.edge === 'END' &&
      marker.container === open.container &&
      (marker.to >= file.length || starts.has(marker.to))
    ) {
      sections.push({ container: open.container, from: open.to, to: marker.from });
      open = undefined;
      free = marker.to;
    }
  }
  // A dump that was cut off has no end marker for its last log.
  if (open !== undefined) sections.push({ container: open.container, from: open.to, to: file.length });
  return sections;
}

async function findMarkers(file: StoredFile, pod: string): Promise<readonly Marker[]> {
  const markers: Marker[] = [];
  const start = Buffer.from('==== ');
  const pattern = /^==== (START|END) logs for container (\S+) of pod (\S+) ====\r?\n?/;
  let window: Buffer = Buffer.alloc(0);
  let windowFrom = 0;
  const search = (last: boolean): void => {
    let at = window.indexOf(start);
    while (at >= 0 && (last || at < window.length - longestMarker)) {
      const found = pattern.exec(window.toString('latin1', at, at + longestMarker));
      const [whole = '', edge, container, of] = found ?? [];
      if (container !== undefined && of === pod && (edge === 'START' || edge === 'END')) {
        markers.push({
          edge,
          container,
          from: windowFrom + at,
          to: windowFrom + at + whole.length,
        });
      }
      at = window.indexOf(start, at + 1);
    }
  };
  for await (const piece of file.read(0, file.length)) {
    window = Buffer.concat([window, piece]);
    search(false);
    const keep = Math.min(window.length, longestMarker);
    windowFrom += window.length - keep;
    window = window.subarray(window.length - keep);
  }
  search(true);
  return markers;
}
