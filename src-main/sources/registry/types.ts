/** An image in a registry: what its tag stands for. */
export type Manifest = {
  /** Such as `sha256:9b0e…`. */
  readonly digest: string;
  readonly tag: string;
};

export type ManifestRead =
  | { readonly ok: true; readonly value: Manifest | undefined; readonly readAt: number }
  | { readonly ok: false; readonly reason: string };

/** A container registry, asked through the OCI distribution API. */
export type Registry = {
  /**
   * The manifest under the first of these tags that exists, undefined when none does. `image` is without tag, such as
   * `ghcr.io/northgate/harbour`. Never throws.
   */
  manifest(image: string, tags: readonly string[]): Promise<ManifestRead>;
  close(): void;
};
