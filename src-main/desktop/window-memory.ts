import { readFileSync } from 'node:fs';
import { type BrowserWindow, screen } from 'electron';
import { writePrivateFile } from '../base/private-file.ts';
import { type Placement, parseWindowState, placeWindow, type WindowState } from './window-state.ts';

/** The window has to rest this long before its place is written, in ms: a drag is hundreds of moves. */
const restFor = 400;

/**
 * Returns the window's placement at start, from the state saved in `file`; an unreadable file counts as none.
 */
export function recallWindow(file: string | undefined): { placement: Placement; maximized: boolean } {
  const state = file === undefined ? undefined : readState(file);
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  const areas = [primary, ...others].map((display) => display.workArea);
  return { placement: placeWindow(state, areas), maximized: state?.maximized === true };
}

/** Writes the window's size and place to `file` as they change, and once more when it closes. */
export function rememberWindow(window: BrowserWindow, file: string): void {
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const state: WindowState = { ...window.getNormalBounds(), maximized: window.isMaximized() };
    try {
      writePrivateFile(file, state);
    } catch {
      // A full or read-only disk costs the remembered place, not the window.
    }
  };
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(write, restFor);
  };
  window.on('resize', changed);
  window.on('move', changed);
  window.on('maximize', changed);
  window.on('unmaximize', changed);
  window.on('close', write);
  window.on('closed', () => clearTimeout(timer));
}

function readState(file: string): WindowState | undefined {
  try {
    return parseWindowState(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
