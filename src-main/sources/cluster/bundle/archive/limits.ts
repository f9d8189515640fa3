import { BundleError } from '../bundle-error.ts';

const mega = 1024 * 1024;

/** Bytes of all files together, unpacked. */
const mostBytes = 16 * 1024 * mega;
const mostEntries = 500_000;
/** Bytes of one file of objects: it is in memory as a whole while it is read. */
export const largestObjectFile = 64 * mega;
/** Beyond so many bytes no bundle shrinks to less than 1/200: real ones, logs and all, shrink to about 1/7. */
const suspiciousFrom = 64 * mega;
const suspiciousRatio = 200;

/** Throws for an archive that unpacks to more than any bundle needs. Bytes read of the file, and unpacked from it. */
export function checkExpansion(packed: number, unpacked: number): void {
  if (unpacked > suspiciousFrom && unpacked > packed * suspiciousRatio) {
    throw new BundleError(
      'The archive unpacks to more than 200 times its size, as no bundle does: it was made to fill the memory or the disk, and is not opened.',
    );
  }
  if (unpacked > mostBytes) {
    throw new BundleError(
      'The archive unpacks to more than 16 GB, which is more than is read: unpack it, remove what is not needed, and open the folder.',
    );
  }
}

/** Throws for more entries than are read. */
export function checkEntries(entries: number): void {
  if (entries > mostEntries) {
    throw new BundleError(
      'The bundle has more than 500,000 entries, which is more than is read: unpack it, remove what is not needed, and open the folder.',
    );
  }
}
