export { eventName } from './events.ts';
export { createTextReader, type LogOwner, type TextFacts } from './read-text.ts';
export { textCluster } from './text-cluster.ts';
