export { createLogScanner, type LineHit, type LogScanner, mostHits } from './line-scan.ts';
