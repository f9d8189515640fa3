import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import type { Symptom } from '#shared/api/symptoms.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { EarlyBundleOf, OpenTargetOf } from '../targets/index.ts';
import { firstLook } from './findings/first-look.ts';
import type { DiagnosisRuns } from './runs.ts';
import { createTextDiagnosis } from './text/text-diagnosis.ts';

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
  const diagnoseText = createTextDiagnosis();
  return {
    'troubleshoot.run': async ({ query }, call) => {
      const target = await targetOf(query.target, call.caller);
      if (call.accepts('text/event-stream')) return runs.follow(target, call.signal);
      return reportOf(runs, target, call.signal);
    },
    'troubleshoot.first': ({ params: { id } }, { signal }) => {
      const bundle = earlyBundleOf(id);
      if (bundle === undefined)
        throw new ConsoleError(
          'NotFound',
          `There is no bundle ${id}: it was closed, or could not be opened.`,
        );
      return firstLook(bundle, { catalogue: catalogue(), signal });
    },
    'troubleshoot.text': ({ body: { text } }, { signal }) => diagnoseText(text, catalogue(), signal),
    'troubleshoot.catalogue': () => ({ symptoms: [...catalogue()] }),
  };
}

async function reportOf(
  runs: DiagnosisRuns,
  target: Parameters<DiagnosisRuns['follow']>[0],
  signal: AbortSignal,
) {
  for await (const traced of runs.follow(target, signal)) if (traced.event === 'report') return traced.data;
  throw new ConsoleError('Unavailable', 'The diagnosis was ended before it was done.');
}
