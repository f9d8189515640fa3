import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { z } from 'zod';
import { dataSourceId, dataSourceName } from '#shared/api/connections.ts';
import { runnerAddress, runnerLabels } from '#shared/api/runners.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { RunnersService } from '#shared/gen/datasource/v1/runners_pb.js';
import { pageOf } from '../../../grpc/page-of.ts';
import type { RpcGate } from '../../../grpc/rpc-gate.ts';
import { actingOf } from '../acting.ts';
import { probeTargetOf } from '../catalogue/endpoint.ts';
import { connectorOf } from '../catalogue/read-connectors.ts';
import type { DataSources } from '../data-sources.ts';
import { heartbeatSeconds } from '../runners/runners.ts';
import { runnerMessage, ticketMessage } from './messages.ts';
import { checked } from './requests.ts';

const idOnly = z.object({ id: dataSourceId });
const enrolment = z.object({ name: dataSourceName, address: runnerAddress, labels: runnerLabels });
const change = z.object({
  id: dataSourceId,
  address: runnerAddress.optional(),
  labels: z.object({ labels: runnerLabels }).optional(),
});
const version = z.string().max(60);
const redemption = z.object({ runnerId: dataSourceId, secret: z.string().min(1).max(200), version });
const heartbeat = z.object({
  version,
  listeners: z
    .array(z.object({ id: dataSourceId, listening: z.boolean(), reason: z.string().max(1000) }))
    .max(100),
});

const mayChange = { allowlist: 'CONSOLE_CONNECTION_ADMINS' } as const;

/** datasource.v1.RunnersService: enrolment of runners, and what runners themselves say. */
export function runnersService(
  { runners, listeners, connections, connectors }: DataSources,
  gate: RpcGate,
): ServiceImpl<typeof RunnersService> {
  return {
    listRunners: (request, context) =>
      gate.read(context, async () => {
        const { items, nextPageToken } = pageOf(await runners.list(), request);
        return { runners: items.map(runnerMessage), nextPageToken };
      }),

    enrolRunner: (request, context) =>
      gate.write(context, { ...mayChange, action: 'runners.enrol', target: request.name }, async (call) => {
        const { runner, ticket, secret } = await runners.enrol(checked(enrolment, request), actingOf(call));
        return { runner: runnerMessage(runner), ticket: ticketMessage(ticket), secret };
      }),

    createRunnerTicket: (request, context) =>
      gate.write(
        context,
        { ...mayChange, action: 'runners.ticket', target: request.runnerId },
        async (call) => {
          const { id } = checked(idOnly, { id: request.runnerId });
          const { ticket, secret } = await runners.ticket(id, actingOf(call));
          return { ticket: ticketMessage(ticket), secret };
        },
      ),

    revokeRunnerTicket: (request, context) =>
      gate.write(
        context,
        { ...mayChange, action: 'runners.revoke_ticket', target: request.id },
        async (call) => {
          await runners.revokeTicket(checked(idOnly, request).id, actingOf(call));
          return {};
        },
      ),

    updateRunner: (request, context) =>
      gate.write(context, { ...mayChange, action: 'runners.change', target: request.id }, async (call) => {
        const { id, address, labels } = checked(change, request);
        const runner = await runners.change(id, { address, labels: labels?.labels }, actingOf(call));
        return { runner: runnerMessage(runner) };
      }),

    revokeRunner: (request, context) =>
      gate.write(context, { ...mayChange, action: 'runners.revoke', target: request.id }, async (call) => {
        const runner = await runners.revoke(checked(idOnly, request).id, actingOf(call));
        return { runner: runnerMessage(runner) };
      }),

    async connectRunner(request, context) {
      const { runnerId: id, secret, version: running } = checked(redemption, request);
      const { runner, token } = await runners.connect({ id, secret, version: running }, gate.open(context));
      return { runner: runnerMessage(runner), token, heartbeatSeconds };
    },

    async heartbeat(request, context) {
      const { version: running, listeners: reports } = checked(heartbeat, request);
      const row = await runners.seen(bearer(context), running, gate.open(context));
      const wanted = await listeners.report(row, reports);
      const known = new Map((await connections.list()).map((one) => [one.id, one]));
      return {
        heartbeatSeconds,
        listeners: wanted.flatMap(({ id, port, connection_id }) => {
          const connection = known.get(connection_id);
          if (connection === undefined) return [];
          const target = probeTargetOf(connectorOf(connectors(), connection.type), connection.settings);
          return [{ id, port, targetHost: target.host, targetPort: target.port }];
        }),
      };
    },
  };
}

/** The runner's token of `authorization`. Throws `NotSignedIn` without one. */
function bearer({ requestHeader }: HandlerContext): string {
  const token = /^Bearer (runner_[A-Za-z0-9_-]{43})$/i.exec(requestHeader.get('authorization') ?? '')?.[1];
  if (token !== undefined) return token;
  throw new ConsoleError('NotSignedIn', 'A heartbeat takes the token of a runner as a bearer.');
}
