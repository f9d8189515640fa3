import { type RefObject, useEffect } from 'react';

const moves: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/**
 * Makes the links of a list one stop of the Tab key: it comes to the one that was left, else to the open one, and arrow
 * keys lead to the others (ARIA Authoring Practices, roving tabindex).
 */
export function useOneStop(list: RefObject<HTMLElement | null>): void {
  // After every time it is drawn, as its rows come and go.
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    placeStop(element);
    const onFocus = () => placeStop(element);
    const onKeyDown = (event: KeyboardEvent) => {
      const move = moves[event.key];
      if (move === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const links = linksOf(element);
      const at = event.target instanceof HTMLElement ? links.indexOf(event.target) : -1;
      if (at < 0) return;
      event.preventDefault();
      links[move(at, links.length)]?.focus();
    };
    element.addEventListener('focusin', onFocus);
    element.addEventListener('keydown', onKeyDown);
    return () => {
      element.removeEventListener('focusin', onFocus);
      element.removeEventListener('keydown', onKeyDown);
    };
  });
}

const linksOf = (list: HTMLElement): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('li a[href]')];

function placeStop(list: HTMLElement): void {
  const links = linksOf(list);
  const stop =
    links.find((link) => link === document.activeElement) ??
    links.find((link) => link.getAttribute('aria-current') === 'true') ??
    links[0];
  for (const link of links) link.tabIndex = link === stop ? 0 : -1;
}
