export type { JudgedPod } from './judged-pods.ts';
export { keepAnswers } from './kept-answer.ts';
export { keyOf } from './owners.ts';
export { judgePod } from './pod-verdict.ts';
export { prometheusText } from './prometheus-text.ts';
export {
  type Amounts,
  add,
  amountsOf,
  parseQuantity,
  podAmounts,
  quantitiesOf,
  toNumber,
} from './quantities.ts';
export { judgeRunning, listRunning, type Running, type RunningListings } from './read-workloads.ts';
export { wasRead, wasReadWhole } from './reading-kinds.ts';
export { type ClusterParts, clusterHandlers } from './routes.ts';
export { clipped, counted, timeOf } from './words.ts';
export type { Standing } from './workload-state.ts';
