/** A container image as it is referred to: `name[:tag][@digest]` (distribution/reference). */
export type ImageReference = {
  readonly name: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
};

const written = /^(.+?)(?::([\w][\w.-]{0,127}))?(?:@(sha(?:256|512):[0-9a-f]+))?$/;

/** Undefined for what is no reference. The scheme some runtimes put before an image id is passed over. */
export function imageReference(text: string | undefined): ImageReference | undefined {
  const [, name, tag, digest] = written.exec(text?.replace(/^[a-z-]+:\/\//, '') ?? '') ?? [];
  return name === undefined ? undefined : { name, tag, digest };
}

/** The commit an image's tag names, as the tags of this platform do: `<sha>` or `sha-<sha>`, 7 characters at least. */
export function commitOfTag(tag: string | undefined): string | undefined {
  return /^(?:sha-)?([0-9a-f]{7,64})$/.exec(tag ?? '')?.[1];
}
