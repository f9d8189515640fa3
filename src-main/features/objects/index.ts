export { objectsHandlers } from './routes.ts';
