export { createLogScanner, type LineHit, type LineScan, type LogScanner, mostHits } from './line-scan.ts';
