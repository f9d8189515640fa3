import { app } from 'electron';

/** The scheme of links that open the program. */
const scheme = 'operator-console';

/**
 * Listens for `operator-console://` links: of this start, of a second start of the program (which then ends), and on
 * macOS from the system. `open` gets the link as it came, unchecked, or undefined when the person only wants the window.
 */
export function listenForLinks(open: (link: string | undefined) => void): void {
  app.on('second-instance', (_event, argv) => open(linkIn(argv)));
  app.on('open-url', (event, url) => {
    event.preventDefault();
    open(url);
  });
  // In development the registered program would be Electron itself, without this project.
  if (app.isPackaged) app.setAsDefaultProtocolClient(scheme);
  const own = linkIn(process.argv);
  if (own !== undefined) open(own);
}

function linkIn(argv: readonly string[]): string | undefined {
  return argv.find((argument) => argument.startsWith(`${scheme}:`));
}
