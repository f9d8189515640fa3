import { z } from 'zod';

/** Time the check may take, in ms, and the largest answer, in bytes. */
const patienceMs = 5_000;
const largestAnswer = 16_384;
/** Score of reCAPTCHA v3 from which a caller counts as a person; the provider's own default threshold. */
const leastScore = 0.5;

const answerShape = z.object({
  success: z.boolean(),
  hostname: z.string().optional(),
  /** Both of version 3 only. */
  score: z.number().optional(),
  action: z.string().optional(),
});

export type RecaptchaCheck = {
  readonly url: URL;
  readonly secret: string;
  readonly token: string;
  /** Hosts on which it may have been solved; any when empty. */
  readonly hosts: readonly string[];
  readonly action: string;
};

/**
 * Returns whether a reCAPTCHA was solved on one of our pages, by asking its provider
 * (https://developers.google.com/recaptcha/docs/verify). Throws when it cannot be asked: nobody passes then.
 */
export async function verifyRecaptcha({
  url,
  secret,
  token,
  hosts,
  action,
}: RecaptchaCheck): Promise<boolean> {
  const response = await fetch(url, {
    method: 'POST',
    // A redirect would carry the secret to an address nobody configured.
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
    body: new URLSearchParams({ secret, response: token }),
  });
  if (!response.ok) throw new Error(`reCAPTCHA answered with status ${response.status}`);
  const text = await response.text();
  if (text.length > largestAnswer) throw new Error('reCAPTCHA answered too much');
  const answer = answerShape.parse(JSON.parse(text));
  const isHere = hosts.length === 0 || hosts.includes(answer.hostname ?? '');
  const isPerson = answer.score === undefined || answer.score >= leastScore;
  const isThisForm = answer.action === undefined || answer.action === action;
  return answer.success && isHere && isPerson && isThisForm;
}
