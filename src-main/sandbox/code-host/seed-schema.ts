import { z } from 'zod';

/** `26m`, `3h` or `2d`, in milliseconds. */
const age = z
  .string()
  .regex(/^\d+[mhd]$/)
  .transform(
    (text) =>
      Number.parseInt(text, 10) * { m: 60_000, h: 3_600_000, d: 86_400_000 }[text.at(-1) as 'm' | 'h' | 'd'],
  );

/** A run's outcome; `flaky`: it failed, and its second attempt succeeded. */
const outcome = z.enum([
  'success',
  'failure',
  'flaky',
  'timed_out',
  'cancelled',
  'running',
  'queued',
  'waiting',
  'none',
]);
export type Outcome = z.infer<typeof outcome>;

const change = z.strictObject({
  title: z.string(),
  by: z.string(),
  age: age.optional(),
  open: z.boolean().default(false),
  /** Outcomes of reviews by type; those not named passed. */
  reviews: z.record(z.string(), outcome).default({}),
  build: outcome.default('success'),
  deploy: outcome.default('success'),
  /** The verification of a studio app. */
  ci: outcome.default('success'),
  /** Name of the findings of each review that had some. */
  findings: z.record(z.string(), z.string()).default({}),
  verdict: z.enum(['approved', 'changes_requested', 'commented']).optional(),
  /** The last lines of a failed build's log. */
  failure: z.array(z.string()).default([]),
  /** Lines of the build's log. */
  lines: z.number().int().optional(),
  /** `none`: it was built and never reached the registry. */
  image: z.literal('none').optional(),
});
export type SeedChange = z.infer<typeof change>;

const app = z.strictObject({
  name: z.string(),
  description: z.string(),
  age,
  pipeline: z.boolean().default(false),
  archived: z.boolean().default(false),
  empty: z.boolean().default(false),
  ci: z.enum(['pending', 'success', 'failure', 'error']).optional(),
  ci_note: z.string().default(''),
  jobs: z
    .array(z.strictObject({ title: z.string(), age, brief: z.enum(['type', 'label']).optional() }))
    .default([]),
  agents: z.string().optional(),
  changes: z.array(change).default([]),
});
export type SeedApp = z.infer<typeof app>;

const platform = z.strictObject({
  name: z.string(),
  description: z.string(),
  language: z.string(),
  deploy: z.enum(['deploy', 'release']).optional(),
  reviews: z.array(z.string()),
  governance: z.array(z.string()),
  /** Name of what runs every night. */
  nightly: z.string().optional(),
  agents: z.string().optional(),
  /** Days its changes go back. */
  days: z.number().int(),
  /** Open issues of its agents; `age` is when they were last written to. */
  issues: z
    .array(
      z.strictObject({
        number: z.number().int(),
        title: z.string(),
        label: z.string(),
        by: z.string(),
        age,
        brief: z.string(),
      }),
    )
    .default([]),
  changes: z.array(change),
});
export type SeedPlatform = z.infer<typeof platform>;

const found = z.strictObject({
  path: z.string(),
  line: z.number().int(),
  end: z.number().int().optional(),
  level: z.enum(['notice', 'warning', 'failure']),
  title: z.string(),
  message: z.string(),
});
export type SeedFinding = z.infer<typeof found>;

export const seedSchema = z.strictObject({
  organisation: z.literal('northgate'),
  apps: z.array(app),
  platform: z.array(platform),
  findings: z.record(z.string(), z.array(found)),
  /** Text of `.platform/agents.yaml` files. */
  agents: z.record(z.string(), z.string()),
  /** Text of `.platform/rules.yaml` files, by repository. */
  rules: z.record(z.string(), z.string()),
  others: z.array(
    z.strictObject({
      organisation: z.string(),
      repositories: z.array(z.strictObject({ name: z.string(), description: z.string() })),
    }),
  ),
});
export type Seed = z.infer<typeof seedSchema>;
