import type { MouseEvent } from 'react';

/**
 * True when a click on one of our own links should stay on this page; the browser's own way is then prevented. With a
 * modifier, or another button, the link opens as links do: in a tab of its own.
 */
export function openedByPlainClick(event: MouseEvent): boolean {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  event.preventDefault();
  return true;
}
