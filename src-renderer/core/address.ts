/**
 * The address in a text, or undefined when it is none. Not `URL.canParse`: that is not in every browser the web app
 * is opened in (Chromium 120 was the first; the build's target is 114).
 */
export function readAddress(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
