/** Oldest major version of Node that the program runs in, as .nvmrc has it. */
export const oldestNode = 24;

/** Returns why the program cannot run in a version of Node such as `20.19.1` and what to do, or undefined when it can. */
export function nodeFault(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= oldestNode) return undefined;
  return `The Operator Console needs Node ${oldestNode} or newer; this is Node ${version}. Install it from https://nodejs.org, or run ./node_modules/.bin/node, which npm ci brings.`;
}
