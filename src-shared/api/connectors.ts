import { z } from 'zod';

/** Name of a connection type of the catalogue. */
export const connectionTypeName = z.string().regex(/^[a-z][a-z0-9-]{1,39}$/, 'must be a connection type');

const fieldName = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/);

/** Kind of a setting: how it is checked, and which input a form shows. */
export const settingKind = z.enum(['text', 'host', 'port', 'url', 'choice', 'pem']);
export type SettingKind = z.infer<typeof settingKind>;

/** One setting of a connection type. */
export const settingField = z.strictObject({
  name: fieldName,
  label: z.string().min(1),
  kind: settingKind,
  required: z.boolean().default(false),
  /** Value when it is not given. */
  default: z.string().optional(),
  /** Values of a `choice`. */
  options: z.array(z.string()).min(2).optional(),
  /** Regular expression that the whole value matches. */
  pattern: z.string().optional(),
  hint: z.string().optional(),
});
export type SettingField = z.infer<typeof settingField>;

/** One credential of a connection type. */
const credentialField = z.strictObject({
  key: fieldName,
  label: z.string().min(1),
  required: z.boolean().default(false),
  /** Given as several lines, such as a key in PEM or JSON. */
  multiline: z.boolean().default(false),
  hint: z.string().optional(),
});

/** Protocol whose hello a refresh speaks; `none` where it is not public. */
export const probeProtocol = z.enum(['postgresql', 'mysql', 'http', 's3', 'none']);
export type ProbeProtocol = z.infer<typeof probeProtocol>;

/** A connector of the catalogue, as routes answer it. */
export const connectionType = z.object({
  type: connectionTypeName,
  name: z.string().min(1),
  /** One sentence on what it connects to. */
  summary: z.string().min(1),
  /** Address of the connector's public documentation. */
  documentation: z.url({ protocol: /^https$/ }),
  protocol: probeProtocol,
  /** Cloud provider that publishes it, such as `gcp`. */
  provider: z.string().optional(),
  /** In the order of a form. */
  settings: z.array(settingField),
  /** In the order of a form. */
  credentials: z.array(credentialField),
});
export type ConnectionType = z.infer<typeof connectionType>;

/** Step of a probe, in the order taken; `address` is the console's rules on which addresses it dials. */
export const probeStepKind = z.enum(['dns', 'address', 'tcp', 'tls', 'protocol']);
export type ProbeStepKind = z.infer<typeof probeStepKind>;

/** How a probe ended. */
export const probeOutcome = z.enum([
  /** Never probed. */
  'not_probed',
  /** The service answered its protocol's hello. */
  'reachable',
  /** TCP and TLS succeeded; the protocol was not probed, so the service may still not work. */
  'protocol_not_probed',
  'failed',
  /** The console's address rules refused it; nothing was dialled. */
  'refused',
]);
export type ProbeOutcome = z.infer<typeof probeOutcome>;

export const probeStep = z.object({
  step: probeStepKind,
  state: z.enum(['ok', 'failed', 'not_probed']),
  /** One sentence. */
  detail: z.string(),
  took_ms: z.number().int(),
});
export type ProbeStep = z.infer<typeof probeStep>;

/** Facts of the certificate that the service presented. */
export const certificateFacts = z.object({
  subject: z.string(),
  issuer: z.string(),
  /** DNS names and addresses it is for. */
  names: z.array(z.string()),
  not_before: z.iso.datetime(),
  not_after: z.iso.datetime(),
  /** SHA-256 as hex with colons. */
  fingerprint: z.string(),
  fault: z.enum(['expired', 'not_yet_valid', 'untrusted', 'name_mismatch']).optional(),
  /** Whether the connection's TLS setting checks it; a fault that is not checked fails nothing. */
  verified: z.boolean(),
});
export type CertificateFacts = z.infer<typeof certificateFacts>;

/** The last probe of a connection. */
export const connectionStatus = z.object({
  connection_id: z.string(),
  outcome: probeOutcome,
  /** One sentence: what was found, or which step failed and why. */
  detail: z.string(),
  failed_step: probeStepKind.optional(),
  /** Steps after a failed one are missing. */
  steps: z.array(probeStep),
  /** The address that was dialled, with its port. */
  address: z.string().optional(),
  certificate: certificateFacts.optional(),
  probed_at: z.iso.datetime().optional(),
  took_ms: z.number().int().optional(),
  probed_by: z.string().optional(),
  /** True when the connection was changed after this probe. */
  stale: z.boolean(),
});
export type ConnectionStatus = z.infer<typeof connectionStatus>;
