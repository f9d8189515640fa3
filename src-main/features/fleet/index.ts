export { fleetHandlers } from './routes.ts';
