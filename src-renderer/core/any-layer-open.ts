/** True while a dialog or a menu is above the page: keys are its own then. */
export function anyLayerOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null;
}
