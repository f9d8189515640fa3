/** Bridge exposed by the desktop window's preload script; undefined in a browser. */
const bridge: unknown = Reflect.get(globalThis, 'operatorConsole');

/** True in the desktop window. */
export const inDesktopWindow = bridge !== undefined;

/** True in the desktop window of a console that has a local operator: it can be signed in again without a password. */
export const localOperatorHere =
  typeof bridge === 'object' && bridge !== null && 'localOperator' in bridge && bridge.localOperator === true;
