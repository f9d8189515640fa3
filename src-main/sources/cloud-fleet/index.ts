export { createGcpFleet, FleetError, type GcpFleet } from './gcp-fleet.ts';
export { parseServiceAccountKey } from './gcp-key.ts';
