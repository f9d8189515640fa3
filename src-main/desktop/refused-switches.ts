/**
 * Switches by which another program would read and steer the window: its pages, its session, its keys. Electron's own
 * debugger of the main process is off by a fuse; these belong to Chromium and have none.
 */
const refused = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-allow-origins',
  // Both let the caller put code into pages or processes of the program.
  'load-extension',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
  // These take its protection from the window.
  'disable-web-security',
  'disable-site-isolation-trials',
  'host-rules',
  'host-resolver-rules',
  'proxy-server',
  'proxy-pac-url',
] as const;

/** Returns the first switch that an installed program does not start with, or undefined. */
export function refusedSwitch(hasSwitch: (name: string) => boolean): string | undefined {
  return refused.find((name) => hasSwitch(name));
}
