export { governanceService } from './governance-rpc.ts';
export { estateHandlers } from './routes.ts';
export { estateService } from './rpc.ts';
