const scriptAddress = 'https://accounts.google.com/gsi/client';

/** The part of Google Identity Services in use (developers.google.com/identity/gsi/web/reference/js-reference). */
export type GoogleIdentity = {
  initialize(options: { client_id: string; ux_mode: 'redirect'; login_uri: string }): void;
  renderButton(parent: HTMLElement, options: { theme: 'outline'; size: 'large'; width: number }): void;
};

declare global {
  interface Window {
    /** Set by Google's own script once it has run. */
    google?: { accounts: { id: GoogleIdentity } };
  }
}

/** Loads Google's script and gives its sign-in part. Rejects when the script does not come or is refused by policy. */
export function googleIdentity(): Promise<GoogleIdentity> {
  return new Promise((resolve, reject) => {
    const loaded = () => {
      if (window.google === undefined) reject(new Error(`${scriptAddress} did not initialize.`));
      else resolve(window.google.accounts.id);
    };
    if (window.google !== undefined) return loaded();
    const script = document.createElement('script');
    script.src = scriptAddress;
    script.addEventListener('load', loaded);
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(`${scriptAddress} did not load.`));
    });
    document.head.append(script);
  });
}
