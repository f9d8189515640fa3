export { type RunningRunner, startRunner } from './runner.ts';
