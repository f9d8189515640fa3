import { useEffect, useEffectEvent, useState } from 'react';
import css from './bundle-dialog.module.css';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/** The view of a frame that has just loaded; undefined when it is another origin's, or the event something else's. */
function viewOf({ target }: Event): Window | undefined {
  if (!(target instanceof HTMLIFrameElement) || target.contentDocument === null) return undefined;
  return target.contentWindow ?? undefined;
}

type DropOnWindowProps = {
  readonly onFile: (file: File) => void;
  /** A browser hands over no folder; what it gives as its file cannot be read. */
  readonly onFolder: (name: string) => void;
};

/**
 * Takes a file that is dropped anywhere on the window, and says so while it is held above it. Above a frame such as the
 * studio's the events are the frame's own, so they are listened to there too, unless it takes the file itself.
 */
export function DropOnWindow({ onFile, onFolder }: DropOnWindowProps) {
  const [held, setHeld] = useState(false);
  const onDrop = useEffectEvent((event: DragEvent) => {
    setHeld(false);
    if (!hasFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const entry = event.dataTransfer?.items[0]?.webkitGetAsEntry();
    if (entry?.isDirectory) onFolder(entry.name);
    else if (file !== undefined) onFile(file);
  });
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const over = (event: DragEvent) => {
      if (!hasFiles(event) || event.defaultPrevented) return;
      // Else the browser leaves the console to show the file.
      event.preventDefault();
      setHeld(true);
    };
    // The pointer leaves for no other element only at the window's edge.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setHeld(false);
    };
    const listen = (view: Window) => {
      view.addEventListener('dragover', over, { signal });
      view.addEventListener('dragleave', leave, { signal });
      view.addEventListener('drop', (event) => onDrop(event), { signal });
    };
    listen(window);
    // A frame's load does not rise, and does not come by the window.
    const onLoad = (event: Event) => {
      const view = viewOf(event);
      if (view !== undefined) listen(view);
    };
    document.addEventListener('load', onLoad, { capture: true, signal });
    return () => listening.abort();
  }, []);
  if (!held) return null;
  return (
    <div className={css.window}>
      <p>Drop the bundle to open it</p>
    </div>
  );
}
