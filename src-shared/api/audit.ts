import { z } from 'zod';
import type { AuditValue } from './handler.ts';
import { defineRoute } from './route.ts';

/** The outcome of an audited act: `refused` is a caller who was not admitted, `failure` any other error. */
export const auditOutcome = z.enum(['success', 'failure', 'refused']);
export type AuditOutcome = z.infer<typeof auditOutcome>;

const seq = z.number().int().positive();
/** SHA-256 in lower-case hex. */
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const auditValue: z.ZodType<AuditValue> = z.lazy(() =>
  z.union([z.string(), z.number().int(), z.boolean(), z.array(auditValue), z.record(z.string(), auditValue)]),
);

export const auditItem = z.object({
  seq,
  at: z.iso.datetime(),
  /** Signed-in email, or `anonymous`. */
  actor: z.string(),
  /** Action, such as `sessions.revoke_all`. */
  action: z.string(),
  /** Target of the action. */
  target: z.string(),
  outcome: auditOutcome,
  summary: z.string(),
  hash,
});
export type AuditItem = z.infer<typeof auditItem>;

/** The hashed form: canonical JSON (RFC 8785) of these fields without `hash`; `hash` is its SHA-256. */
export const auditRecord = auditItem.extend({
  detail: z.record(z.string(), auditValue),
  /** Hash of the record before; 64 zeros for the first. */
  prev_hash: hash,
});
export type AuditRecord = z.infer<typeof auditRecord>;

/** The first invalid link of a chain. */
export const auditBreak = z.object({
  seq,
  kind: z.enum(['edited', 'removed', 'reordered', 'inserted', 'truncated', 'rewritten']),
  /** One sentence: what is invalid there. */
  reason: z.string(),
});
export type AuditBreak = z.infer<typeof auditBreak>;

const verdictFields = {
  intact: z.boolean(),
  /** Records walked. */
  checked: z.number().int(),
  first_break: auditBreak.optional(),
  /** The last record; absent on an empty chain. */
  head_seq: seq.optional(),
  head_hash: hash.optional(),
  /**
   * Storage of a copy of the head, so that truncation of the chain is detected; `nowhere` when none was found
   * there.
   */
  head_kept_in: z.enum(['keychain', 'file', 'nowhere']),
  /** Reason the kept head could not be read: then `head_kept_in` is `nowhere`, and the chain was walked without it. */
  head_unread: z.string().optional(),
};

/** A walk of the whole chain. */
export const auditVerification = z.object({ ...verdictFields, took_ms: z.number() });
export type AuditVerification = z.infer<typeof auditVerification>;

/** The verdict on a page of the chain, without walking a long one: `from_seq` is the first record walked. */
export const auditVerdict = z.object({ ...verdictFields, from_seq: seq.optional() });
export type AuditVerdict = z.infer<typeof auditVerdict>;

/** Server-sent `progress` events of `GET /api/audit/verify`; the last event is `result`, an `AuditVerification`. */
export const auditProgress = z.object({ checked: z.number().int(), total: z.number().int() });
export type AuditProgress = z.infer<typeof auditProgress>;

const sessionAdmins = { kind: 'read', allowlist: 'CONSOLE_SESSION_ADMINS' } as const;
const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a whole number above 0')
  .transform(Number);

/** Filters of the audit list; an absent one admits everything. */
export const auditFilter = z.object({
  actor: z.string().min(1).max(320).optional(),
  action: z.string().min(1).max(100).optional(),
  outcome: auditOutcome.optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  /** Text in actor, action, target or summary, without regard to case. */
  q: z.string().min(1).max(200).optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

export const auditRoutes = [
  defineRoute({
    id: 'audit.list',
    method: 'GET',
    path: '/api/audit',
    access: sessionAdmins,
    summary:
      'A page of the audit chain, newest first, and what can be said of the chain without walking it all.',
    query: auditFilter.extend({
      /** `next_cursor` of the page before: records older than it. */
      cursor: wholeNumber.optional(),
      limit: wholeNumber.pipe(z.number().max(200)).optional(),
    }),
    answer: z.object({
      items: z.array(auditItem),
      next_cursor: z.string().optional(),
      verdict: auditVerdict,
      source: z.string(),
      complete: z.boolean(),
      read_at: z.iso.datetime(),
      unmeasured: z.array(z.string()),
    }),
  }),
  defineRoute({
    id: 'audit.verify',
    method: 'GET',
    path: '/api/audit/verify',
    access: sessionAdmins,
    summary: 'Walks the persisted chain and names the first break; with server-sent events, its progress.',
    answer: auditVerification,
    events: { progress: auditProgress, result: auditVerification },
  }),
  defineRoute({
    id: 'audit.export',
    method: 'GET',
    path: '/api/audit/export',
    access: sessionAdmins,
    summary: 'The whole chain, oldest first, one JSON record a line, for checking elsewhere (docs/audit.md).',
    answer: 'stream',
  }),
  defineRoute({
    id: 'audit.record',
    method: 'GET',
    path: '/api/audit/{seq}',
    access: sessionAdmins,
    summary: "One record in full with its neighbours' hashes.",
    params: z.object({ seq: wholeNumber }),
    answer: auditRecord.extend({
      previous: z.object({ seq, hash }).optional(),
      next: z.object({ seq, hash }).optional(),
    }),
  }),
] as const;
