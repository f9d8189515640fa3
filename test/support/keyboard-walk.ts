import type { Page } from 'playwright-core';

/** A thing that the Tab key came to. */
export type Stop = {
  readonly name: string;
  /** What is wrong with it: `no name`, `out of sight`, `covered`, `no ring`, `out of order`. */
  readonly faults: readonly string[];
  /** It is a row or a link of a row in a table, or a link in a list: the same for all of one. */
  readonly list: string | undefined;
};

/**
 * Runs in the page. `stop()` says what has the focus, undefined outside of the page's content; `left()` whether the thing
 * before looked otherwise while it had the focus than it does now, which is what a focus ring is.
 */
const walker = `(() => {
  const looks = (nodes) => nodes.flatMap((node) => ['', '::after'].map((pseudo) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor, borderWidth, content } =
      getComputedStyle(node, pseudo);
    return [outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, borderWidth, backgroundColor, content].join();
  })).join('|');
  const around = (element) => [
    element, element.parentElement, element.parentElement?.parentElement, element.nextElementSibling,
  ].filter((node) => node instanceof Element);
  const nameOf = (element) => (
    element.getAttribute('aria-label') ?? element.getAttribute('title') ?? element.innerText ??
    ''
  ).trim() || element.getAttribute('placeholder') || element.labels?.[0]?.innerText || '';
  const lists = [];
  const numberOf = (list) => (lists.includes(list) ? lists : (lists.push(list), lists)).indexOf(list);
  const listOf = (element) => {
    const table = element.closest('tbody');
    if (table?.querySelector('[data-key]')) return element.matches('tr, a') ? 'table ' + numberOf(table) : undefined;
    const list = element.matches('li a') ? element.closest('ul') : null;
    return list === null ? undefined : 'list ' + numberOf(list);
  };
  let before;
  return {
    begin() {
      before = undefined;
      document.querySelector('main').focus();
    },
    stop() {
      const element = document.activeElement;
      // What has the focus in a frame is ringed there.
      const ringless = before !== undefined && before.element.tagName !== 'IFRAME' && looks(before.nodes) === before.looks ? before.name : undefined;
      const main = document.querySelector('main');
      if (element === null || !main.contains(element) || element === main) return { ringless };
      // A radio of a segmented control is drawn by its label.
      const shown = element.matches('input[type=radio]') ? (element.labels?.[0] ?? element) : element;
      const { left, top, right, bottom, width, height } = shown.getBoundingClientRect();
      // The part that what scrolls around it leaves in sight.
      const seen = { left: Math.max(left, 0), top: Math.max(top, 0), right: Math.min(right, innerWidth), bottom: Math.min(bottom, innerHeight) };
      for (let outer = shown.parentElement; outer !== null; outer = outer.parentElement) {
        if (getComputedStyle(outer).overflow === 'visible') continue;
        const box = outer.getBoundingClientRect();
        seen.left = Math.max(seen.left, box.left);
        seen.top = Math.max(seen.top, box.top);
        seen.right = Math.min(seen.right, box.right);
        seen.bottom = Math.min(seen.bottom, box.bottom);
      }
      const x = (seen.left + seen.right) / 2;
      const y = (seen.top + seen.bottom) / 2;
      const there = document.elementFromPoint(x, y);
      const inSight = width > 0 && height > 0 && seen.left < seen.right && seen.top < seen.bottom;
      const name = nameOf(element);
      const follows = before === undefined ||
        (before.element.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
      const same = before?.element === element;
      const faults = [
        name === '' && 'no name',
        !inSight && 'out of sight',
        inSight && !(shown.contains(there) || there?.contains(shown)) && 'covered',
        !follows && !same && 'out of order',
      ].filter(Boolean);
      const nodes = around(element);
      before = { element, nodes, looks: looks(nodes), name: name || element.outerHTML.slice(0, 80) };
      return { ringless, name: before.name.slice(0, 60), faults, list: listOf(element) };
    },
  };
})()`;

/** So many stops and the content has not been left: the focus is caught. */
const mostStops = 80;

/** Walks by Tab through the content of the page, from its beginning until the focus leaves it. */
export async function walkByTab(page: Page): Promise<readonly Stop[]> {
  await page.evaluate(`globalThis.walker ??= ${walker}; walker.begin()`);
  const stops: Stop[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const { ringless, ...stop } = await page.evaluate<Partial<Stop> & { ringless?: string }>('walker.stop()');
    if (ringless !== undefined) stops.push({ name: ringless, faults: ['no ring'], list: undefined });
    if (stop.name === undefined) return stops;
    stops.push({ name: stop.name, faults: stop.faults ?? [], list: stop.list });
    if (stops.length > mostStops)
      return [...stops, { name: 'the page', faults: ['a trap'], list: undefined }];
  }
}

/** Waits until the page's content has not changed for a moment: what it reads has come. */
export async function untilSettled(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const main = document.querySelector('main');
    const quiet = () => {
      if (main.querySelector('h1') === null || main.querySelector('[class*=_bone_]') !== null)
        return wait();
      observer.disconnect();
      resolve();
    };
    let timer = setTimeout(quiet, 350);
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(quiet, 350);
    };
    const observer = new MutationObserver(wait);
    observer.observe(main, { childList: true, subtree: true });
    setTimeout(() => { observer.disconnect(); resolve(); }, 6000);
  })`);
}
