const scriptAddress = 'https://www.google.com/recaptcha/api.js?render=explicit';

/** The part of reCAPTCHA in use (https://developers.google.com/recaptcha/docs/display#js_api). */
export type Recaptcha = {
  ready(run: () => void): void;
  render(
    parent: HTMLElement,
    options: { sitekey: string; callback(token: string): void; 'expired-callback'(): void },
  ): number;
  reset(widget: number): void;
};

declare global {
  interface Window {
    /** Set by Google's own script once it has run. */
    grecaptcha?: Recaptcha;
  }
}

/** Loads Google's script. Rejects when it does not come or is refused by policy. */
export function loadRecaptcha(): Promise<Recaptcha> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = scriptAddress;
    script.addEventListener('load', () => {
      const { grecaptcha } = window;
      if (grecaptcha === undefined) reject(new Error('reCAPTCHA did not initialize.'));
      else grecaptcha.ready(() => resolve(grecaptcha));
    });
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error('reCAPTCHA did not load.'));
    });
    document.head.append(script);
  });
}
