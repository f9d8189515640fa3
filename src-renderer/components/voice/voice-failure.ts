/** Returns the error that a voice route answered with, in its words. */
export async function failureOf(response: Response): Promise<Error> {
  const body: unknown = await response.json().catch(() => undefined);
  const sentence =
    typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'
      ? body.error
      : `The console answered with status ${response.status}.`;
  return new Error(sentence);
}
