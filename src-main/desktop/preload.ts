import { contextBridge, ipcRenderer } from 'electron';
import { version } from '../../package.json';
import { localOperatorSwitch, openAddressChannel } from './channels.ts';

/**
 * The properties of the desktop visible to the page: facts, no functions. A frame of the same origin can read
 * its parent's too.
 */
export type DesktopBridge = {
  readonly kind: 'desktop';
  readonly version: string;
  /** Node's name of the system, such as `darwin`. */
  readonly platform: string;
  /** True when the window can be signed in as the local operator again. */
  readonly localOperator: boolean;
};

// The main process and this file share one TypeScript project, which has no DOM: what is used of it is named here.
declare const history: { pushState(state: undefined, unused: '', address: string): void };
declare const dispatchEvent: (event: Event) => boolean;
declare const PopStateEvent: new (type: 'popstate') => Event;

const bridge: DesktopBridge = {
  kind: 'desktop',
  version,
  platform: process.platform,
  localOperator: process.argv.includes(localOperatorSwitch),
};
contextBridge.exposeInMainWorld('operatorConsole', bridge);

// Goes there as the Back button would: the page stays, and with it an answer that is being streamed.
ipcRenderer.on(openAddressChannel, (_event, address: string) => {
  history.pushState(undefined, '', address);
  dispatchEvent(new PopStateEvent('popstate'));
});
