/** The reason a bundle is not opened or captured; its message is a sentence for the person. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}

export const cancelledReason = 'The opening of the bundle was cancelled.';
