import { type FileHandle, open } from 'node:fs/promises';

/** The files that are open for a bundle, so that all of them are closed when its thread ends. */
export type OpenFiles = {
  open(path: string, flags: string | number, mode?: number): Promise<FileHandle>;
  close(handle: FileHandle): Promise<void>;
  closeAll(): Promise<void>;
};

export function createOpenFiles(): OpenFiles {
  const handles = new Set<FileHandle>();
  // A file that is opened while the thread ends would stay open for as long as the program runs.
  const opening = new Set<Promise<FileHandle>>();
  let isClosed = false;
  return {
    async open(path, flags, mode) {
      if (isClosed) throw new Error('it was closed');
      const requested = open(path, flags, mode);
      opening.add(requested);
      try {
        const handle = await requested;
        handles.add(handle);
        return handle;
      } finally {
        opening.delete(requested);
      }
    },
    async close(handle) {
      handles.delete(handle);
      await handle.close();
    },
    async closeAll() {
      isClosed = true;
      const late = [...opening].map(async (requested) => (await requested).close());
      await Promise.allSettled([...late, ...[...handles].map((handle) => handle.close())]);
    },
  };
}
