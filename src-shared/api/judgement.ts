import { z } from 'zod';
import { readingFields } from './reading.ts';
import { defineRoute } from './route.ts';

const name = z.string().trim().min(1).max(200);
const time = z.iso.datetime({ offset: true });

/** A finding of an external platform. A verdict in it is discarded: only the judge agent gives one (CON-143). */
export const submittedFinding = z.object({
  /** Unique on its platform; a later submission with the same ID replaces it. */
  id: name,
  title: z.string().trim().min(1).max(500),
  severity: z.string().trim().min(1).max(50).optional(),
  /** What it is about, such as a repository, a file or a service. */
  subject: name.optional(),
  detail: z.string().max(8_000).optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  found_at: time.optional(),
});
export type SubmittedFinding = z.infer<typeof submittedFinding>;

/** The judge agent's verdict on a submitted finding. */
export const judgement = z.object({
  platform: name,
  finding: name,
  verdict: z.enum(['confirmed', 'rejected', 'undecided']),
  /** Why, in the agent's words. */
  reason: z.string().trim().min(1).max(4_000),
  judged_at: time,
  run_id: name.optional(),
});
export type Judgement = z.infer<typeof judgement>;

const keptJudgement = judgement.extend({ app: z.string() });

export const judgementRoutes = [
  defineRoute({
    id: 'judgement.findings',
    method: 'GET',
    path: '/api/judgement',
    access: { kind: 'read' },
    summary: "Submitted findings, newest first, each with the judge agent's newest verdict.",
    query: z.object({
      platform: name.optional(),
      verdict: z.enum(['confirmed', 'rejected', 'undecided', 'none']).optional(),
    }),
    answer: z.object({
      ...readingFields,
      items: z.array(
        submittedFinding.extend({
          platform: z.string(),
          submitted_at: z.iso.datetime(),
          /** Absent until the judge agent gave one. */
          judgement: keptJudgement.omit({ platform: true, finding: true }).optional(),
        }),
      ),
    }),
  }),
  defineRoute({
    id: 'judgement.submit',
    method: 'POST',
    path: '/api/judgement/submissions',
    access: { kind: 'machine', token: 'CONSOLE_JUDGEMENT_INGEST_TOKEN' },
    summary: "Takes an external platform's findings; any verdict in them is discarded.",
    body: z.object({ platform: name, findings: z.array(submittedFinding).min(1).max(1_000) }),
    answer: z.object({ accepted: z.number().int() }),
  }),
  defineRoute({
    id: 'judgement.verdicts',
    method: 'GET',
    path: '/api/judgements',
    access: { kind: 'read' },
    summary: "The judge agent's verdicts, newest first.",
    query: z.object({ platform: name.optional() }),
    answer: z.object({ ...readingFields, items: z.array(keptJudgement) }),
  }),
  defineRoute({
    id: 'judgement.judge',
    method: 'POST',
    path: '/api/judgements',
    access: { kind: 'agent' },
    summary: "Takes the judge agent's verdicts; of verdicts of one App on one finding the newest counts.",
    body: z.object({ judgements: z.array(judgement).min(1).max(1_000) }),
    answer: z.object({ accepted: z.number().int() }),
  }),
] as const;
