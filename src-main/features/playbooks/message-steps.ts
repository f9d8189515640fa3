import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import { ConsoleError } from '#shared/errors.ts';
import { isRecord, resources } from '../../cluster-model/index.ts';
import { audited } from '../audit/index.ts';
import { actStep, targetNamed } from './act-step.ts';
import type { PlaybookStep } from './definition.ts';
import type { Attempt } from './progress.ts';
import {
  actorOf,
  decisionOn,
  ended,
  mayDecide,
  readerOf,
  type StepOutcome,
  type StepParts,
  type Work,
  waiting,
} from './step-outcome.ts';
import { fill, fillLine } from './templates.ts';

/** How often a report, a result or a decision is looked for that nothing announced, in ms. */
const lookEvery = 30_000;

type DispatchSpec = Extract<PlaybookStep, { dispatch: unknown }>['dispatch'];

/** Starts an agent as a Job of its CronJob that says for which step it works, and waits for its report. */
export async function dispatchStep(spec: DispatchSpec, work: Work, parts: StepParts): Promise<StepOutcome> {
  const { attempt, run, scope } = work;
  const { agent } = fill(spec, scope) as DispatchSpec;
  if (attempt.waits_for === 'report') return reportOf(spec, work, parts);
  if (run.rehearsal === 1)
    return ended(attempt, 'done', `A rehearsal dispatches nobody: ${agent} would be started.`, parts.now());
  const request = attempt.act?.request ?? (await jobOf(spec, work, parts));
  const outcome = await actStep(work, parts, { request, classes: ['agents'] });
  if (outcome.is !== 'ended' || outcome.attempt.state !== 'done') return outcome;
  const { ended_at: _ended, ...dispatched } = outcome.attempt;
  await work.keep({ ...dispatched, state: 'waiting', waits_for: 'report' });
  return reportOf(spec, { ...work, attempt: dispatched }, parts);
}

function reportOf(spec: DispatchSpec, { attempt, signals, scope }: Work, parts: StepParts): StepOutcome {
  const agent = fillLine(spec.agent, scope);
  const final = signals.get(reportName(attempt.step, attempt.attempt, 'final'));
  if (final === undefined) {
    const running = signals.get(reportName(attempt.step, attempt.attempt, 'running'));
    const said = running === undefined ? '' : (JSON.parse(running.data) as { summary?: string }).summary;
    return waiting(
      attempt,
      'report',
      `${agent} was started; its report is awaited.${said ? ` It said: ${said}` : ''}`,
      parts.now() + lookEvery,
    );
  }
  const { state, summary, result } = JSON.parse(final.data) as {
    state: 'done' | 'failed';
    summary?: string;
    result?: Attempt['result'];
  };
  return ended(
    result === undefined ? attempt : { ...attempt, result },
    state,
    summary ?? `${agent} reported ${state === 'done' ? 'that it is done' : 'a failure'}.`,
    parts.now(),
  );
}

/** Returns the name of the signal of a report. */
export function reportName(step: string, attempt: number, phase: 'running' | 'final'): string {
  return `report/${step}/${attempt}/${phase}`;
}

/** The act that makes a Job of an agent's CronJob, named by the attempt: it is one Job however often it is made. */
async function jobOf(spec: DispatchSpec, { run, attempt, scope }: Work, parts: StepParts) {
  const { agent, namespace, instructions, target: named } = fill(spec, scope) as DispatchSpec;
  const target = targetNamed(named, run, parts);
  const { cluster } = await parts.targetOf(target, readerOf(run));
  const read = await cluster.get(resources.cronJobs, agent, namespace);
  if (read.state !== 'read')
    throw new ConsoleError(
      read.state === 'missing' ? 'NotFound' : 'Unavailable',
      `The agent ${agent} in ${namespace} could not be read: ${read.reason}`,
    );
  const { metadata, spec: cron } = read.object;
  const template = isRecord(cron) && isRecord(cron.jobTemplate) ? cron.jobTemplate : {};
  const suffix = createHash('sha256').update(`${run.id}/${attempt.seq}`).digest('hex').slice(0, 10);
  const name = `${agent.slice(0, 50)}-${suffix}`;
  const env = [
    { name: 'PLAYBOOK_RUN_ID', value: run.id },
    { name: 'PLAYBOOK_STEP', value: attempt.step },
    { name: 'PLAYBOOK_ATTEMPT', value: String(attempt.attempt) },
    { name: 'PLAYBOOK_INSTRUCTIONS', value: instructions },
  ];
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...(isRecord(template.metadata) ? { labels: template.metadata.labels } : {}),
      name,
      namespace,
      annotations: { 'cronjob.kubernetes.io/instantiate': 'manual' },
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          name: agent,
          uid: isRecord(metadata) ? metadata.uid : undefined,
        },
      ],
    },
    spec: withEnv(template.spec, env),
  };
  return {
    target,
    act: 'apply' as const,
    object: { group: 'batch', version: 'v1', kind: 'Job', namespace, name },
    args: { yaml: stringify(job) },
  };
}

type Env = readonly { readonly name: string; readonly value: string }[];

function withEnv(jobSpec: unknown, env: Env): unknown {
  const spec = isRecord(jobSpec) ? jobSpec : {};
  const template = isRecord(spec.template) ? spec.template : {};
  const pod = isRecord(template.spec) ? template.spec : {};
  const containers = Array.isArray(pod.containers) ? pod.containers : [];
  return {
    ...spec,
    template: {
      ...template,
      spec: {
        ...pod,
        containers: containers.map((container: unknown) =>
          isRecord(container)
            ? { ...container, env: [...(Array.isArray(container.env) ? container.env : []), ...env] }
            : container,
        ),
      },
    },
  };
}

/** Puts a command into the queue of who started the run, or approved a step before, and waits for its result. */
export async function commandStep(text: string, work: Work, parts: StepParts): Promise<StepOutcome> {
  const { run, attempt, scope } = work;
  const { now, commands, audit } = parts;
  if (run.rehearsal === 1) return ended(attempt, 'done', 'A rehearsal sends no command to a session.', now());
  const email = ownerOfQueue(work);
  if (email === undefined)
    return ended(
      attempt,
      'failed',
      'Nobody started this run by hand or approved a step of it: there is no queue to put the command into.',
      now(),
    );
  if (attempt.command === undefined) {
    const decision = decisionOn(work, 'approval');
    if (decision?.verdict === 'reject')
      return ended({ ...attempt, decided_by: decision.by }, 'failed', `${decision.by} rejected it.`, now());
    const verdict = await parts.decide('agents', actorOf(run, decision?.by));
    if (verdict.verdict === 'refused') return ended(attempt, 'failed', verdict.sentence, now());
    if (verdict.verdict === 'ask')
      return waiting(
        attempt,
        'approval',
        `A command for the session of ${email}. ${verdict.sentence}`,
        now() + lookEvery,
      );
    const id = `${run.id}-${attempt.seq}`;
    const line = fillLine(text, scope);
    await work.keep({ ...attempt, state: 'running', sentence: `A command for the session of ${email}.` });
    await audited(
      audit,
      { actor: decision?.by ?? run.started_by, action: 'playbooks.command', target: email },
      { playbook: run.playbook, run: run.id, step: attempt.step },
      async () => commands.enqueue(email, line, id),
    );
    return commandResult({ ...attempt, command: id }, email, parts);
  }
  return commandResult(attempt, email, parts);
}

async function commandResult(attempt: Attempt, email: string, parts: StepParts): Promise<StepOutcome> {
  const { now, commands } = parts;
  const found = await commands.find(email, attempt.command ?? '');
  if (found === undefined)
    return ended(attempt, 'failed', 'The command is no longer in the queue: its result is not known.', now());
  if (found.state === 'queued' || found.state === 'claimed')
    return waiting(
      attempt,
      'command',
      found.state === 'queued'
        ? `Waits for an agent session of ${email}.`
        : `An agent session of ${email} works on it.`,
      now() + 5_000,
    );
  const output = (found.output ?? '').slice(0, 16_000);
  return ended(
    { ...attempt, result: { output } },
    found.state,
    found.state === 'done' ? 'The session has done it.' : 'The session reported a failure.',
    now(),
  );
}

/** A run puts commands only into the queue of a person who stands behind it. */
function ownerOfQueue({ run, progress }: Work): string | undefined {
  if (run.started_kind === 'person') return run.started_by;
  return progress.attempts.findLast(({ decided_by }) => decided_by !== undefined)?.decided_by;
}

type ApprovalSpec = Extract<PlaybookStep, { approval: unknown }>['approval'];

/** Waits for a person. */
export function approvalStep(spec: ApprovalSpec, work: Work, parts: StepParts): StepOutcome {
  const { attempt, run, scope } = work;
  const decision = decisionOn(work, 'approval');
  if (decision === undefined || !mayDecide(run, decision.by, spec.other))
    return waiting(attempt, 'approval', fillLine(spec.message, scope), parts.now() + lookEvery);
  const note = decision.note === '' ? '' : ` ${decision.note}`;
  const decided = { ...attempt, decided_by: decision.by, note: decision.note };
  return decision.verdict === 'approve'
    ? ended(decided, 'done', `${decision.by} approved it.${note}`, parts.now())
    : ended(decided, 'failed', `${decision.by} rejected it.${note}`, parts.now());
}
