import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import { z } from 'zod';
import { type Autonomy, actClass, type Guardrails } from '#shared/api/guardrails.ts';
import { ConsoleError } from '#shared/errors.ts';
import { type GovernanceService, Autonomy as Level } from '#shared/gen/platform/v1/governance_pb.js';
import type { RpcGate } from '../../grpc/rpc-gate.ts';
import type { GuardrailSettings } from '../guardrails/index.ts';
import { policiesOf } from './policies.ts';
import { type EstateParts, readPostures } from './routes.ts';

const levels: Readonly<Record<Autonomy, Level>> = { off: Level.OFF, ask: Level.ASK, auto: Level.AUTO };

const autonomyOf = new Map(
  (['off', 'ask', 'auto'] as const).map((autonomy) => [levels[autonomy], autonomy] as const),
);

const chosen = z.partialRecord(actClass, z.enum(['off', 'ask', 'auto']));

/** platform.v1.GovernanceService: what the platform may do by itself, and how its estate is guarded. */
export function governanceService(
  estate: EstateParts,
  guardrails: GuardrailSettings,
  gate: RpcGate,
): ServiceImpl<typeof GovernanceService> {
  return {
    getGuardrails: (_request, context) =>
      gate.read(context, async () => ({ guardrails: toMessage(await guardrails.read()) })),

    setGuardrails: (request, context) =>
      gate.write(
        context,
        { allowlist: 'CONSOLE_SESSION_ADMINS', action: 'guardrails.set', target: 'guardrails' },
        async (call) => {
          const autonomy = chosen.safeParse(
            Object.fromEntries(
              Object.entries(request.autonomy).map(([name, level]) => [name, autonomyOf.get(level)]),
            ),
          );
          if (!autonomy.success)
            throw new ConsoleError(
              'BadInput',
              `autonomy: ${autonomy.error.issues[0]?.path.join('.') ?? ''} must be a class of acts with OFF, ASK or AUTO.`,
            );
          const change = { revision: Number(request.revision), autonomy: autonomy.data };
          return { guardrails: toMessage(await guardrails.set(change, call)) };
        },
      ),

    listPolicies: (request, context) =>
      gate.read(context, async ({ caller }) => {
        const { postures, reading } = await readPostures(
          estate.targetOf,
          request.target === '' ? undefined : request.target,
          caller,
        );
        return {
          policies: policiesOf(postures),
          complete: reading.complete,
          unmeasured: [...reading.unmeasured],
        };
      }),
  };
}

const toMessage = ({ classes, revision, changed_at }: Guardrails) => ({
  guardrails: classes.map(({ class: name, acts, autonomy, most }) => ({
    actClass: name,
    acts,
    autonomy: levels[autonomy],
    most: levels[most],
  })),
  revision: BigInt(revision),
  ...(changed_at === undefined ? {} : { changedAt: timestampFromMs(Date.parse(changed_at)) }),
});
