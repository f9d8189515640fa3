/** A live region that is there from the begin: one that comes with its text is not read out by every screen reader. */
const region = document.createElement('div');
region.setAttribute('aria-live', 'polite');
Object.assign(region.style, {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
});
document.body.append(region);

/** Says something to a screen reader that the eye sees in place, such as that a text was copied. */
export function announce(text: string): void {
  // The same text twice in a row is news again.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
