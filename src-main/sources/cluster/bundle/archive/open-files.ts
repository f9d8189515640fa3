import { type FileHandle, open } from 'node:fs/promises';

/** The files that are open for a bundle, so that all of them are closed when its thread ends. */
export type OpenFiles = {
  open(path: string, flags: string | number, mode?: number): Promise<FileHandle>;
  close(handle: FileHandle): Promise<void>;
  closeAll(): Promise<void>;
};

export function createOpenFiles(): OpenFiles {
  const handles = new Set<FileHandle>();
  let isClosed = false;
  return {
    async open(path, flags, mode) {
      const handle = await open(path, flags, mode);
      if (isClosed) {
        await handle.close();
        throw new Error('it was closed');
      }
      handles.add(handle);
      return handle;
    },
    async close(handle) {
      handles.delete(handle);
      await handle.close();
    },
    async closeAll() {
      isClosed = true;
      await Promise.allSettled([...handles].map((handle) => handle.close()));
    },
  };
}
