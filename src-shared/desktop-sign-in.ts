/**
 * The path that the page in the desktop window opens to sign in as the local operator again: the main process
 * answers it before any request is sent. Anywhere else the path does not exist.
 */
export const desktopSignInPath = '/auth/desktop';
