/** What the preload of the desktop window names itself by. A browser has no such object. */
const bridge: unknown = Reflect.get(globalThis, 'operatorConsole');

/** True in the desktop window. */
export const inDesktopWindow = bridge !== undefined;

/** True in the desktop window of a console that has a local operator: it can be signed in again without a password. */
export const localOperatorHere =
  typeof bridge === 'object' && bridge !== null && 'localOperator' in bridge && bridge.localOperator === true;
