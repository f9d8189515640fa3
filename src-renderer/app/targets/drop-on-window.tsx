import { useEffect, useEffectEvent, useState } from 'react';
import css from './bundle-dialog.module.css';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/** Takes a file that is dropped anywhere on the window, and says so while it is held above it. */
export function DropOnWindow({ onFile }: { readonly onFile: (file: File) => void }) {
  const [held, setHeld] = useState(false);
  const onDrop = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setHeld(false);
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) onFile(file);
  });
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Else the browser leaves the console to show the file.
      event.preventDefault();
      setHeld(true);
    };
    // The pointer leaves for no other element only at the window's edge.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setHeld(false);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
  if (!held) return null;
  return (
    <div className={css.window}>
      <p>Drop the bundle to open it</p>
    </div>
  );
}
