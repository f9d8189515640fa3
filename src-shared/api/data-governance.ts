import { z } from 'zod';
import { readingFields } from './reading.ts';
import { defineRoute } from './route.ts';

const name = z.string().trim().min(1).max(200);
const time = z.iso.datetime({ offset: true });

/** One finding of the data-governance agent. It names structure and never holds a value of the data. */
export const dataGovernanceFinding = z.object({
  /** Unique among the findings of its App; a later report with the same ID replaces it. */
  id: name,
  title: z.string().trim().min(1).max(500),
  severity: z.enum(['critical', 'warning', 'info']),
  /** What it is about, such as a connection, a dataset or a column. */
  subject: name,
  rule: name.optional(),
  detail: z.string().max(4_000).optional(),
  found_at: time,
  /** Absent while it is open. */
  resolved_at: time.optional(),
});
export type DataGovernanceFinding = z.infer<typeof dataGovernanceFinding>;

/** Connections whose data is about one thing, as far as names, tenants and types show it. */
const domain = z.object({
  name: z.string(),
  /** What its connections have in common. */
  by: z.enum(['naming', 'tenant', 'type']),
  connections: z.array(z.object({ id: z.string(), name: z.string(), type: z.string(), tenant: z.string() })),
  tenants: z.array(z.string()),
  types: z.array(z.string()),
  /** A sentence for each connection: why it is in this domain. */
  evidence: z.array(z.string()),
});
export type DataDomain = z.infer<typeof domain>;

const count = z.number().int().nonnegative();

export const dataGovernanceRoutes = [
  defineRoute({
    id: 'dataGovernance.domains',
    method: 'GET',
    path: '/api/domains',
    access: { kind: 'read' },
    summary: 'Data domains clustered from the registry of connections, the largest first, with the evidence.',
    answer: z.object({ ...readingFields, items: z.array(domain) }),
  }),
  defineRoute({
    id: 'dataGovernance.findings',
    method: 'GET',
    path: '/api/data-governance-findings',
    access: { kind: 'read' },
    summary: 'Findings of the data-governance agent, open ones first, the most severe and the newest first.',
    query: z.object({ state: z.enum(['open', 'resolved']).optional() }),
    answer: z.object({
      ...readingFields,
      items: z.array(dataGovernanceFinding.extend({ app: z.string(), reported_at: z.iso.datetime() })),
    }),
  }),
  defineRoute({
    id: 'dataGovernance.report',
    method: 'POST',
    path: '/api/data-governance-findings',
    access: { kind: 'agent' },
    summary: 'Takes findings of the data-governance agent; of reports of one finding the newest counts.',
    body: z.object({ findings: z.array(dataGovernanceFinding).min(1).max(1_000) }),
    answer: z.object({ accepted: z.number().int() }),
  }),
  defineRoute({
    id: 'dataGovernance.estate',
    method: 'GET',
    path: '/api/data-governance-estate',
    access: { kind: 'agent' },
    summary: 'What the data-governance agent may read: structure and counts, never a value.',
    answer: z.object({
      ...readingFields,
      connections: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          type: z.string(),
          tenant: z.string(),
          /** Names of the settings that are set. */
          settings: z.array(z.string()),
          /** Names of the credentials, and how many of them are set. */
          credentials: z.array(z.string()),
          credentials_set: count,
        }),
      ),
      tenants: z.array(z.object({ name: z.string(), connections: count })),
      lineage: z.object({ edges: count, apps: count }),
      findings: z.object({ open: count, resolved: count }),
    }),
  }),
] as const;
