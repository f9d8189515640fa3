/**
 * The one message between the main process and the page's preload: go to an address inside the console. It is sent
 * by the main process only; the page can send nothing, so there is no handler that a frame could reach.
 */
export const openAddressChannel = 'console:open-place';

/** Told to the preload at its start: the window can be signed in as the local operator. */
export const localOperatorSwitch = '--console-local-operator';
