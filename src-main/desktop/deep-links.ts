import { app } from 'electron';
import { parseDeepLink } from './deep-link-address.ts';

/** The scheme of links that open the program. */
const scheme = 'operator-console';

/**
 * Listens for `operator-console://` links: of this start, of a second start of the program (which then ends), and on
 * macOS from the system. `open` gets the address inside the console, or undefined when the person only wants the
 * window: a second start without a link, or with one that names no place.
 */
export function listenForLinks(open: (address: string | undefined) => void): void {
  app.on('second-instance', (_event, argv) => open(linkIn(argv)));
  app.on('open-url', (event, url) => {
    event.preventDefault();
    open(parseDeepLink(url));
  });
  // In development the registered program would be Electron itself, without this project.
  if (app.isPackaged) app.setAsDefaultProtocolClient(scheme);
  open(linkIn(process.argv));
}

function linkIn(argv: readonly string[]): string | undefined {
  const link = argv.find((argument) => argument.startsWith(`${scheme}:`));
  return link === undefined ? undefined : parseDeepLink(link);
}
