/**
 * Where the page in the desktop window goes to be signed in as the local operator again: the main process answers it
 * before any request is sent. Anywhere else it is an address of nothing.
 */
export const desktopSignInPath = '/auth/desktop';
