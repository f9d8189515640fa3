export { intelligenceHandlers } from './routes.ts';
export type { DerivedFrom } from './sources.ts';
export { type HarnessTables, harnessMigrations } from './store.ts';
