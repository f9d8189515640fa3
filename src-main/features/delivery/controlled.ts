import type { Delivery } from '#shared/api/delivery.ts';

/** One object of a GitOps controller as a delivery, and what its status does not say, a clause each. */
export type Controlled = {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly unread: readonly string[];
  readonly row: Omit<Delivery, 'name' | 'last_transition'> & {
    readonly last_transition: string | undefined;
  };
};

/** Reason for an object its controller has not acted on. */
export const noStatusYet = 'its controller has given it no status yet';
