import { inDesktopWindow } from './desktop.ts';

/** A console elsewhere has no business with paths of the person's machine, nor the person with those of its. */
export const takesPaths =
  inDesktopWindow || /^(?:(?:[^.]+\.)?localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);
