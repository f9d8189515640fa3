import { z } from 'zod';
import { defineRoute } from './route.ts';

/** One numbered line of docs/requirements, such as `BCK-042`. */
const requirement = z.object({
  number: z.string(),
  /** One line of Markdown: text and code spans. */
  text: z.string(),
});

/** A document of docs/requirements, in the order of its headings. */
export const requirementDocument = z.object({
  title: z.string(),
  groups: z.array(z.object({ title: z.string(), requirements: z.array(requirement) })),
});
export type RequirementDocument = z.infer<typeof requirementDocument>;

/** The number of a requirement, wherever it is mentioned. */
export const requirementNumber = /\b(?:CON|BCK|RTE)-\d{3}\b/;

export const requirementRoutes = [
  defineRoute({
    id: 'requirements.list',
    method: 'GET',
    path: '/api/requirements',
    access: { kind: 'read' },
    summary: 'The requirements that symptoms and messages refer to by number, by document and group.',
    answer: z.object({ documents: z.array(requirementDocument) }),
  }),
] as const;
