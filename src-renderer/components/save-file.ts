/** Offers a text, in one piece or several, as a download. */
export function saveFile(
  name: string,
  type: 'text/csv' | 'application/json' | 'text/plain',
  ...text: readonly BlobPart[]
): void {
  const address = URL.createObjectURL(new Blob([...text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the bytes by the next turn.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
