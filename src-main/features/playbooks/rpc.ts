import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { z } from 'zod';
import { ConsoleError } from '#shared/errors.ts';
import type { PlaybookService } from '#shared/gen/platform/v1/playbook_pb.js';
import type { RpcAct, RpcGate } from '../../grpc/rpc-gate.ts';
import { checkDefinition, digestOf } from './check-definition.ts';
import { cancelRun, decideStep, undoRun } from './decisions.ts';
import { checkedMessage, playbookMessage } from './messages.ts';
import type { Playbooks } from './playbooks.ts';
import { createRun, type Start } from './runs.ts';

/** Runs of a page. */
const usualPage = 50;
const largestPage = 200;

const note = z.string().trim().max(1_000);

/** Who starts and decides; who saves decides what runs by itself. */
const mayAct = { allowlist: 'CONSOLE_CLUSTER_ADMINS' } as const;
const maySave = { allowlist: 'CONSOLE_SESSION_ADMINS' } as const;

/** platform.v1.PlaybookService: definitions and runs. */
export function playbookService(playbooks: Playbooks, gate: RpcGate): ServiceImpl<typeof PlaybookService> {
  const { db, catalogue, now, decisions, started } = playbooks;
  const act = (action: string, target: string): RpcAct => ({
    ...(action === 'save' || action === 'delete' ? maySave : mayAct),
    action: `playbooks.${action}`,
    target,
  });

  const start = async (given: Start): Promise<string> => {
    const { id, created } = await createRun(db, given, now());
    if (created) started();
    return id;
  };

  return {
    listPlaybooks: (_request, context) =>
      gate.read(context, async () => ({ playbooks: (await catalogue.list()).map(playbookMessage) })),

    getPlaybook: ({ name }, context) =>
      gate.read(context, async () => {
        const playbook = await catalogue.get(name);
        return { playbook: playbookMessage(playbook), text: playbook.text };
      }),

    checkPlaybook: ({ text }, context) =>
      gate.read(context, async () => {
        const { definition, faults } = checkDefinition(text);
        return {
          faults: faults.toSorted((a, b) => a.line - b.line || a.column - b.column),
          ...(definition === undefined ? {} : { playbook: checkedMessage(definition, digestOf(text)) }),
        };
      }),

    savePlaybook: ({ text, armed, revision }, context) => {
      const name = checkDefinition(text).definition?.name ?? '';
      return gate.write(context, act('save', name), async ({ caller, record }) => {
        const by = caller.email ?? '';
        const playbook = await catalogue.save({ text, armed, revision: Number(revision), by });
        record(`Saved the playbook "${playbook.name}"${armed ? ', which now starts by itself' : ''}.`, {
          digest: playbook.digest,
          armed,
        });
        return { playbook: playbookMessage(playbook) };
      });
    },

    deletePlaybook: ({ name, revision }, context) =>
      gate.write(context, act('delete', name), async () => {
        await catalogue.remove(name, Number(revision));
        return {};
      }),

    startPlaybook: ({ name, inputs, target, key }, context) =>
      gate.write(context, act('start', name), async ({ caller, record }) => {
        const { definition, text } = await catalogue.get(name);
        if (definition === undefined)
          throw new ConsoleError('Refused', 'This console cannot read the definition: save it again.');
        const by = caller.email ?? '';
        const runId = await start({
          definition,
          text,
          inputs,
          target: target === '' ? undefined : target,
          rehearsal: false,
          by,
          kind: 'person',
          ...(key === '' ? {} : { key: `person:${by}:${key}` }),
        });
        record(`Started the run ${runId}.`, { run: runId, digest: digestOf(text) });
        return { runId };
      }),

    rehearsePlaybook: ({ text, inputs }, context) =>
      gate.write(context, act('rehearse', 'sandbox'), async ({ caller, record }) => {
        const { definition, faults } = checkDefinition(text);
        if (definition === undefined)
          throw new ConsoleError(
            'BadInput',
            `text: line ${faults[0]?.line ?? 1}: ${faults[0]?.message ?? ''}`,
          );
        if (playbooks.sandboxTarget() === undefined)
          throw new ConsoleError(
            'Refused',
            'The sandbox does not run: start it from the overview, then rehearse.',
          );
        const by = caller.email ?? '';
        const runId = await start({
          definition,
          text,
          inputs,
          target: undefined,
          rehearsal: true,
          by,
          kind: 'person',
        });
        record(`Started a rehearsal, the run ${runId}.`, { run: runId });
        return { runId };
      }),

    listRuns: ({ playbook, pageSize, pageToken }, context) =>
      gate.read(context, async () => {
        if (pageSize < 0 || pageSize > largestPage)
          throw new ConsoleError('BadInput', `page_size must be 1 to ${largestPage}, or 0 for ${usualPage}.`);
        return playbooks.listRuns(playbook, pageSize === 0 ? usualPage : pageSize, pageToken);
      }),

    getRun: ({ id }, context) =>
      gate.read(context, async () => ({ run: (await playbooks.showRun(id)).shown })),

    watchRun: ({ id }, context) =>
      gate.readStream(context, async function* ({ signal }) {
        for await (const run of playbooks.hub.watch(id, signal)) yield { run };
      }),

    approveStep: ({ runId, seq, actDigest, note: said, confirm }, context) =>
      gate.write(context, act('approve', runId), async ({ caller, record }) => {
        record(`Approved step ${seq} of the run.`, { seq, digest: actDigest });
        await decideStep(decisions, {
          runId,
          seq,
          verdict: 'approve',
          by: caller.email ?? '',
          note: noteOf(said),
          digest: actDigest,
          confirm,
        });
        return {};
      }),

    rejectStep: ({ runId, seq, note: said }, context) =>
      gate.write(context, act('reject', runId), async ({ caller, record }) => {
        record(`Rejected step ${seq} of the run.`, { seq });
        await decideStep(decisions, {
          runId,
          seq,
          verdict: 'reject',
          by: caller.email ?? '',
          note: noteOf(said),
          digest: '',
          confirm: '',
        });
        return {};
      }),

    cancelRun: ({ id }, context) =>
      gate.write(context, act('cancel', id), async ({ caller }) => {
        await cancelRun(decisions, id, caller.email ?? '');
        return {};
      }),

    undoRun: ({ id }, context) =>
      gate.write(context, act('undo', id), async ({ caller }) => {
        await undoRun(decisions, id, caller.email ?? '');
        return {};
      }),
  };
}

function noteOf(said: string): string {
  const read = note.safeParse(said);
  if (!read.success) throw new ConsoleError('BadInput', 'note must have 1,000 characters at most.');
  return read.data;
}

/** The alias's end, and what takes its place (RFC 9745, RFC 8594). */
const deprecation = {
  deprecation: `@${Date.parse('2026-11-23T00:00:00Z') / 1000}`,
  sunset: new Date('2027-06-01T00:00:00Z').toUTCString(),
  link: '</platform.v1.PlaybookService>; rel="successor-version"',
} as const;

/** platform.v1.ResolveService: the same calls, each answer marked as of a deprecated alias. */
export function deprecatedAlias(
  service: ServiceImpl<typeof PlaybookService>,
): ServiceImpl<typeof PlaybookService> {
  const marked = Object.entries(service).map(([name, call]) => [
    name,
    (request: never, context: HandlerContext) => {
      for (const [header, value] of Object.entries(deprecation)) context.responseHeader.set(header, value);
      return (call as (request: never, context: HandlerContext) => unknown)(request, context);
    },
  ]);
  // The same methods under the same names; only their answers' headers differ.
  return Object.fromEntries(marked) as ServiceImpl<typeof PlaybookService>;
}
