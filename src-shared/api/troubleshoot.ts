import { z } from 'zod';
import { objectRef } from './cluster.ts';
import { defineRoute } from './route.ts';
import { fixStep, severity, symptom, symptomArea } from './symptoms.ts';
import { bundleParams, clusterReadingFields, targetQuery } from './targets.ts';

const time = z.iso.datetime();
const count = z.number().int().nonnegative();

/** Characters of a pasted text that is looked through. */
export const longestText = 2_000_000;

/** A piece of evidence, verbatim: never reworded. */
export const evidence = z.object({
  kind: z.enum([
    'log',
    'container',
    'pod',
    'event',
    'http',
    'environment',
    'certificate',
    'condition',
    'check',
    'text',
  ]),
  /** The object it was seen on; absent for a pasted text. */
  object: objectRef.optional(),
  /** Container of the pod, for logs, containers and environment. */
  container: z.string().optional(),
  /**
   * Source of the text: a file of a bundle, a log such as `ns/pod/container (previous)`, a field, or a path.
   */
  ref: z.string(),
  /** 1-based, of `ref`. */
  line: z.number().int().positive().optional(),
  text: z.string(),
  /** Characters of `text` that were matched, from and to before. */
  match: z.tuple([count, count]).optional(),
  before: z.array(z.string()).optional(),
  after: z.array(z.string()).optional(),
  /** Time it was last seen, as far as the source says. */
  at: time.optional(),
  /** Number of times it was seen there; 1 when left out. */
  times: count.optional(),
});
export type Evidence = z.infer<typeof evidence>;

export const finding = z.object({
  /** The symptom and what it was found on: the same in every run. */
  id: z.string(),
  /** Id of the catalogue's entry. */
  symptom: z.string(),
  area: symptomArea,
  severity,
  title: z.string(),
  cause: z.string(),
  fix: z.array(fixStep),
  /** Affected objects, the workload rather than each of its pods; empty for a log or a message that names none. */
  objects: z.array(objectRef),
  /** The first of each kind of place; `evidence_count` is of all. */
  evidence: z.array(evidence),
  evidence_count: count,
  since: time.optional(),
  /** IDs of findings of the same objects that could be the cause as well; the most specific comes first. */
  competes_with: z.array(z.string()),
  /** Ids of symptoms that are found here, too, and explained by this one. */
  explains: z.array(z.string()),
  ruled_out_by: z.string(),
  reference: z.string(),
  /** The sentences of the requirements that `reference` names; absent where it names another document. */
  reference_text: z.string().optional(),
});
export type Finding = z.infer<typeof finding>;

/** A kind of evidence that was read. */
export const checked = z.object({ what: z.string(), count });
export type Checked = z.infer<typeof checked>;
/** A kind of evidence that was not, or not all of it; a finding may be missing for it. */
export const notChecked = z.object({
  what: z.string(),
  reason: z.string(),
  /** Ids of the symptoms that could not be seen for it. */
  symptoms: z.array(z.string()),
  /** Workloads of which all of it was read nonetheless: on these the symptoms could be seen. */
  whole_of: z.array(objectRef).optional(),
});
export type NotChecked = z.infer<typeof notChecked>;

const reportFields = {
  findings: z.array(finding),
  checked: z.array(checked),
  not_checked: z.array(notChecked),
  /** Symptoms that were looked for. */
  symptoms: count,
  /** Milliseconds. */
  took_ms: z.number().nonnegative(),
};

export const report = z.object({ ...reportFields, ...clusterReadingFields });
export type Report = z.infer<typeof report>;

export const textReport = z.object(reportFields);
export type TextReport = z.infer<typeof textReport>;

/** The progress of a diagnosis, with the gravest 500 findings so far, so that a person need not wait for the rest. */
export const diagnosisProgress = z.object({
  step: z.string(),
  /** Progress out of `total`, bytes or objects, in the step's own unit. */
  done: count.optional(),
  total: count.optional(),
  findings: z.array(finding).optional(),
});
export type DiagnosisProgress = z.infer<typeof diagnosisProgress>;

/** The first findings of a bundle, an event of `GET /api/troubleshoot/bundles/{id}`. The last has `ended`. */
export const firstLook = z.object({
  findings: z.array(finding),
  ended: z.boolean(),
  /** Reason the logs were not searched to the end. */
  detail: z.string().optional(),
});
export type FirstLook = z.infer<typeof firstLook>;

export const troubleshootRoutes = [
  defineRoute({
    id: 'troubleshoot.run',
    method: 'GET',
    path: '/api/troubleshoot',
    access: { kind: 'read' },
    summary:
      'Diagnoses a cluster or a bundle: what is wrong, why, what to do, the evidence, and what was not checked. As server-sent events with `progress` before the `report`.',
    query: targetQuery,
    answer: report,
    events: { progress: diagnosisProgress, report },
  }),
  defineRoute({
    id: 'troubleshoot.first',
    method: 'GET',
    path: '/api/troubleshoot/bundles/{id}',
    access: { kind: 'read' },
    summary:
      'Server-sent events: what the logs of a bundle and the first of its pods that are not well say by themselves, as they are read, also while it is being opened. The diagnosis, which knows all of it, finds more and may take some of it back.',
    params: bundleParams,
    answer: 'events',
    events: { found: firstLook },
  }),
  defineRoute({
    id: 'troubleshoot.text',
    method: 'POST',
    path: '/api/troubleshoot/text',
    access: { kind: 'read' },
    summary: 'Explains a pasted log or message.',
    // As UTF-8, with room for what JSON escapes.
    largestBody: longestText * 4,
    body: z.strictObject({ text: z.string().min(1).max(longestText) }),
    answer: textReport,
  }),
  defineRoute({
    id: 'troubleshoot.catalogue',
    method: 'GET',
    path: '/api/troubleshoot/catalogue',
    access: { kind: 'read' },
    summary: 'Every symptom that is known, with how it is detected, its cause and its fix.',
    answer: z.object({ symptoms: z.array(symptom) }),
  }),
] as const;
