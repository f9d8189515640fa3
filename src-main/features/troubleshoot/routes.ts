import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import type { Symptom } from '#shared/api/symptoms.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { EarlyBundleOf } from '../targets/index.ts';
import type { OpenTargetOf } from '../targets/open-target.ts';
import { firstLook } from './findings/first-look.ts';
import type { DiagnosisRuns } from './runs.ts';
import { diagnoseText } from './text.ts';

type TroubleshootRouteId = Extract<RouteId, `troubleshoot.${string}`>;

export type TroubleshootParts = {
  readonly targetOf: OpenTargetOf;
  readonly earlyBundleOf: EarlyBundleOf;
  /** Every symptom that is known; read when it is first needed. */
  readonly catalogue: () => readonly Symptom[];
  readonly runs: DiagnosisRuns;
};

/** The routes of the troubleshooter. */
export function troubleshootHandlers({
  targetOf,
  earlyBundleOf,
  catalogue,
  runs,
}: TroubleshootParts): Handlers<TroubleshootRouteId> {
  return {
    'troubleshoot.run': async ({ query }, call) => {
      const target = await targetOf(query.target, call.caller);
      if (call.accepts('text/event-stream'))
        return { type: 'text/event-stream', pieces: asEvents(runs.follow(target, call.signal), call.signal) };
      return reportOf(runs, target, call.signal);
    },
    'troubleshoot.first': ({ params: { id } }, { signal }) => {
      const bundle = earlyBundleOf(id);
      if (bundle === undefined)
        throw new ConsoleError(
          'NotFound',
          `There is no bundle ${id}: it was closed, or could not be opened.`,
        );
      return {
        type: 'text/event-stream',
        pieces: asEvents(firstLook(bundle, { catalogue: catalogue(), signal }), signal),
      };
    },
    'troubleshoot.text': ({ body: { text } }) => diagnoseText(text, catalogue()),
    'troubleshoot.catalogue': () => ({ symptoms: [...catalogue()] }),
  };
}

async function reportOf(
  runs: DiagnosisRuns,
  target: Parameters<DiagnosisRuns['follow']>[0],
  signal: AbortSignal,
) {
  for await (const told of runs.follow(target, signal)) if (told.event === 'report') return told.data;
  throw new ConsoleError('Unavailable', 'The diagnosis was ended before it was done.');
}

/** A stream says that it lives this often, in ms: a proxy in between would cut a silent one. */
const heartbeat = 15_000;

type Event = { readonly event: string; readonly data: unknown };

async function* asEvents(told: AsyncGenerator<Event>, signal: AbortSignal): AsyncGenerator<string> {
  let next = told.next();
  try {
    while (!signal.aborted) {
      const step = await Promise.race([next, silence()]);
      if (step === undefined) {
        yield ': still here\n\n';
        continue;
      }
      if (step.done === true) return;
      yield `event: ${step.value.event}\ndata: ${JSON.stringify(step.value.data)}\n\n`;
      next = told.next();
    }
  } finally {
    // Not awaited: it ends with its signal.
    void told.return(undefined);
  }
}

function silence(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), heartbeat).unref());
}
