import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Connection } from '#shared/api/connections.ts';
import type { ConnectionStatus, ConnectionType, ProbeStep, SettingKind } from '#shared/api/connectors.ts';
import type { Listener, Runner, RunnerTicket } from '#shared/api/runners.ts';
import {
  type ConnectionSchema,
  type ConnectionStatusSchema,
  type ConnectionTypeSchema,
  ProbeOutcome,
  ProbeStepKind,
  ProbeStepState,
  SettingKind as SettingKindNumber,
} from '#shared/gen/datasource/v1/connections_pb.js';
import { type ListenerSchema, ListenerState } from '#shared/gen/datasource/v1/listeners_pb.js';
import {
  type RunnerSchema,
  RunnerState,
  type RunnerTicketSchema,
} from '#shared/gen/datasource/v1/runners_pb.js';

const settingKinds: Readonly<Record<SettingKind, SettingKindNumber>> = {
  text: SettingKindNumber.TEXT,
  host: SettingKindNumber.HOST,
  port: SettingKindNumber.PORT,
  url: SettingKindNumber.URL,
  choice: SettingKindNumber.CHOICE,
  pem: SettingKindNumber.PEM,
};

const outcomes: Readonly<Record<ConnectionStatus['outcome'], ProbeOutcome>> = {
  not_probed: ProbeOutcome.NOT_PROBED,
  reachable: ProbeOutcome.REACHABLE,
  protocol_not_probed: ProbeOutcome.PROTOCOL_NOT_PROBED,
  failed: ProbeOutcome.FAILED,
  refused: ProbeOutcome.REFUSED,
};

const stepKinds: Readonly<Record<ProbeStep['step'], ProbeStepKind>> = {
  dns: ProbeStepKind.DNS,
  address: ProbeStepKind.ADDRESS,
  tcp: ProbeStepKind.TCP,
  tls: ProbeStepKind.TLS,
  protocol: ProbeStepKind.PROTOCOL,
};

const stepStates: Readonly<Record<ProbeStep['state'], ProbeStepState>> = {
  ok: ProbeStepState.OK,
  failed: ProbeStepState.FAILED,
  not_probed: ProbeStepState.NOT_PROBED,
};

const runnerStates: Readonly<Record<Runner['state'], RunnerState>> = {
  enrolling: RunnerState.ENROLLING,
  connected: RunnerState.CONNECTED,
  offline: RunnerState.OFFLINE,
  revoked: RunnerState.REVOKED,
};

const listenerStates: Readonly<Record<Listener['state'], ListenerState>> = {
  pending: ListenerState.PENDING,
  listening: ListenerState.LISTENING,
  failed: ListenerState.FAILED,
  offline: ListenerState.OFFLINE,
};

/** A time, or nothing where there is none. */
function time<Name extends string>(name: Name, text: string | undefined): { [N in Name]?: Timestamp } {
  if (text === undefined) return {};
  const entry: { [N in string]: Timestamp } = { [name]: timestampFromDate(new Date(text)) };
  // The compiler keeps no literal name of a computed key.
  return entry as { [N in Name]?: Timestamp };
}

/** A connector of the catalogue as the service answers it. */
export function typeMessage(type: ConnectionType): MessageInitShape<typeof ConnectionTypeSchema> {
  return {
    ...type,
    provider: type.provider ?? '',
    settings: type.settings.map(({ kind, ...field }) => ({
      ...field,
      kind: settingKinds[kind],
      default: field.default ?? '',
      options: [...(field.options ?? [])],
      pattern: field.pattern ?? '',
      hint: field.hint ?? '',
    })),
    credentials: type.credentials.map((field) => ({ ...field, hint: field.hint ?? '' })),
  };
}

/** A connection as the service answers it. */
export function connectionMessage(one: Connection): MessageInitShape<typeof ConnectionSchema> {
  return {
    id: one.id,
    name: one.name,
    type: one.type,
    tenant: one.tenant,
    settings: one.settings,
    credentials: one.credentials.map(({ key, set, kept_in = '' }) => ({ key, set, keptIn: kept_in })),
    endpoint: one.endpoint,
    revision: one.revision,
    ...time('createdAt', one.created_at),
    createdBy: one.created_by ?? '',
    ...time('updatedAt', one.updated_at),
    updatedBy: one.updated_by ?? '',
  };
}

/** A status as the service answers it. */
export function statusMessage(status: ConnectionStatus): MessageInitShape<typeof ConnectionStatusSchema> {
  const { certificate, failed_step } = status;
  return {
    connectionId: status.connection_id,
    outcome: outcomes[status.outcome],
    detail: status.detail,
    failedStep: failed_step === undefined ? ProbeStepKind.UNSPECIFIED : stepKinds[failed_step],
    steps: status.steps.map(({ step, state, detail, took_ms }) => ({
      step: stepKinds[step],
      state: stepStates[state],
      detail,
      tookMs: took_ms,
    })),
    address: status.address ?? '',
    ...(certificate === undefined
      ? {}
      : {
          certificate: {
            subject: certificate.subject,
            issuer: certificate.issuer,
            names: [...certificate.names],
            ...time('notBefore', certificate.not_before),
            ...time('notAfter', certificate.not_after),
            fingerprint: certificate.fingerprint,
            fault: certificate.fault ?? '',
            verified: certificate.verified,
          },
        }),
    ...time('probedAt', status.probed_at),
    tookMs: status.took_ms ?? 0,
    probedBy: status.probed_by ?? '',
    stale: status.stale,
  };
}

/** A ticket as the service answers it, without its secret. */
export function ticketMessage(ticket: RunnerTicket): MessageInitShape<typeof RunnerTicketSchema> {
  return {
    id: ticket.id,
    ...time('createdAt', ticket.created_at),
    createdBy: ticket.created_by ?? '',
    ...time('expiresAt', ticket.expires_at),
  };
}

/** A runner as the service answers it. */
export function runnerMessage(one: Runner): MessageInitShape<typeof RunnerSchema> {
  return {
    id: one.id,
    name: one.name,
    state: runnerStates[one.state],
    address: one.address ?? '',
    labels: one.labels,
    version: one.version ?? '',
    ...time('createdAt', one.created_at),
    createdBy: one.created_by ?? '',
    ...time('enrolledAt', one.enrolled_at),
    ...time('lastSeenAt', one.last_seen_at),
    ...time('revokedAt', one.revoked_at),
    revokedBy: one.revoked_by ?? '',
    tickets: one.tickets.map(ticketMessage),
  };
}

/** A listener as the service answers it. */
export function listenerMessage(one: Listener): MessageInitShape<typeof ListenerSchema> {
  return {
    id: one.id,
    name: one.name,
    runnerId: one.runner_id,
    connectionId: one.connection_id,
    port: one.port,
    state: listenerStates[one.state],
    reason: one.reason ?? '',
    ...time('reportedAt', one.reported_at),
    ...time('createdAt', one.created_at),
    createdBy: one.created_by ?? '',
  };
}
