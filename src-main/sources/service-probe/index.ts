export {
  type AddressRules,
  type Cidr,
  type ForbiddenEndpoint,
  judgeAddress,
  judgeHost,
  parseNetwork,
} from './address-rules.ts';
export { type Network, systemNetwork } from './network.ts';
export { type ProbeResult, type ProbeTarget, probeService } from './probe.ts';
export { ProbeError } from './probe-error.ts';
