import type { ComponentType } from 'react';

/** A 16 px outline icon, as Tabler draws them. */
export type Icon = ComponentType<{
  readonly size?: number;
  readonly stroke?: number;
  readonly 'aria-hidden'?: boolean;
}>;
