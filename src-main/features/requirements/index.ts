import type { Handlers } from '#shared/api/handler.ts';
import { readRequirements } from './read-requirements.ts';

export { parseRequirements, readRequirements, requirementText } from './read-requirements.ts';

/** Returns the handler of `GET /api/requirements`. */
export function requirementHandlers(): Handlers<'requirements.list'> {
  return { 'requirements.list': () => ({ documents: [...readRequirements()] }) };
}
