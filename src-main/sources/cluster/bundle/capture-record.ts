import { z } from 'zod';

/** What our own capture writes of itself, beside the files of a support bundle. */
export const captureRecord = z.object({
  form: z.literal(1),
  /** When it was begun: ages are counted from here. */
  taken_at: z.iso.datetime(),
  /** Of operator-console. */
  console_version: z.string(),
  /**
   * How each kind the console reads was read, by `pods`, `deployments.apps`: so that what the live target did not serve
   * or refused is told in the same words.
   */
  listings: z.record(
    z.string(),
    z.object({
      state: z.enum(['read', 'partly', 'not_served', 'not_collected', 'forbidden', 'unavailable']),
      gaps: z.array(z.string()),
    }),
  ),
});
export type CaptureRecord = z.infer<typeof captureRecord>;

/** Answers of the backends' health endpoints through the API server's proxy, by path. */
export const healthAnswers = z.array(
  z.object({ path: z.string(), status: z.number().int(), body: z.string() }),
);
