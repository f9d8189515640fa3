export { type FleetParts, fleetHandlers } from './routes.ts';
