export { codeHostHandlers } from './routes.ts';
