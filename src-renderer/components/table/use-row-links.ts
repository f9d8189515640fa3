import { type RefObject, useEffect } from 'react';

/**
 * Takes the links in a table's cells out of the way of the Tab key, which a table is one stop of: Enter on a row that does
 * not open itself follows its first link, and the right and left arrow lead to each and back (ARIA Authoring Practices, grid).
 */
export function useRowLinks(scroller: RefObject<HTMLElement | null>): void {
  // After every time it is drawn, as its rows come and go.
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    for (const link of element.querySelectorAll<HTMLElement>(innerLinks)) link.tabIndex = -1;
    const onKeyDown = (event: KeyboardEvent) => {
      const { target, key, altKey, ctrlKey, metaKey, shiftKey } = event;
      if (!(target instanceof HTMLElement) || altKey || ctrlKey || metaKey || shiftKey) return;
      const row = target.closest('tr');
      if (row === null || !element.contains(row)) return;
      const links = [...row.querySelectorAll<HTMLElement>(innerLinks)];
      if (key === 'Enter' && target === row) links[0]?.click();
      if (key !== 'ArrowRight' && key !== 'ArrowLeft') return;
      const stops = [
        row.matches('[data-key]') ? row : row.querySelector<HTMLElement>('[data-key]'),
        ...links,
      ];
      const at = stops.indexOf(target);
      const to = stops[at + (key === 'ArrowRight' ? 1 : -1)];
      if (at < 0 || to === undefined || to === null) return;
      event.preventDefault();
      to.focus();
    };
    element.addEventListener('keydown', onKeyDown);
    return () => element.removeEventListener('keydown', onKeyDown);
  });
}

const innerLinks = 'tbody td a[href]:not([data-key])';
