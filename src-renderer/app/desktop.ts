/** True in the desktop window: its preload names itself there. A browser has no such object. */
export const inDesktopWindow = 'operatorConsole' in globalThis;
