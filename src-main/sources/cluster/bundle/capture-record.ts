import { z } from 'zod';

/** The metadata our own capture writes beside the files of a support bundle. */
export const captureRecord = z.object({
  form: z.literal(1),
  /** Time the capture began; ages are counted from here. */
  taken_at: z.iso.datetime(),
  /** Version of operator-console. */
  console_version: z.string(),
  /**
   * Result of reading each kind the console reads, by `pods`, `deployments.apps`, so that kinds the live
   * target did not serve or refused are reported in the same wording.
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
