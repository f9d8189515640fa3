export { voiceHandlers } from './routes.ts';
