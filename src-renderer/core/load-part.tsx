import { type ComponentType, use } from 'react';

/** A part of the window whose files did not come: the console is away, or serves another build by now. */
export class PartNotLoaded extends Error {
  override readonly name = 'PartNotLoaded';
}

/** A component that is loaded when first shown, or before. */
export type Part<Props> = ComponentType<Props> & {
  /** Loads it ahead of need. A failure shows when the part is shown. */
  preload(): void;
};

/** How each part whose files did not come is made to ask for them again. */
const failed = new Set<() => void>();

/**
 * Returns a component that loads itself. Unlike `React.lazy`, what failed once can be asked for again: a boundary that
 * shows the failure calls `forgetFailedParts` before it tries again.
 */
export function loadPart<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  const request = (): Promise<ComponentType<Props>> => {
    loading ??= load().catch((error: unknown) => {
      failed.add(() => {
        loading = undefined;
      });
      throw new PartNotLoaded('A part of the window was not loaded.', { cause: error });
    });
    return loading;
  };
  function LoadedPart(props: Props) {
    const Loaded = use(request());
    return <Loaded {...props} />;
  }
  return Object.assign(LoadedPart, {
    preload: () => {
      request().catch(() => undefined);
    },
  });
}

/** Makes every part that did not load ask for its files again when it is next shown. */
export function forgetFailedParts(): void {
  for (const forget of failed) forget();
  failed.clear();
}
