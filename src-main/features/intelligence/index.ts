export { intelligenceHandlers } from './routes.ts';
export type { DerivedFrom } from './sources.ts';
