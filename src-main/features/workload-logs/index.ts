export { workloadLogHandlers } from './routes.ts';
