import { createPace as createOpenPace, type Pace } from '../../../base/pace.ts';
import { BundleError, cancelledReason } from './bundle-error.ts';

export type { Pace } from '../../../base/pace.ts';

/** Creates a pace whose `breathe` throws `BundleError` once the signal aborts. */
export function createPace(signal?: AbortSignal): Pace {
  const pace = createOpenPace();
  const goOn = (): void => {
    if (signal?.aborted) throw new BundleError(cancelledReason);
  };
  return {
    isDue: () => pace.isDue(),
    async breathe() {
      goOn();
      await pace.breathe();
      goOn();
    },
  };
}
