/**
 * Returns a text with A to Z in lower case and every other character as it is. `toLowerCase` also maps look-alikes to
 * them (the Kelvin sign to k), and two people's addresses would be one.
 */
export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
