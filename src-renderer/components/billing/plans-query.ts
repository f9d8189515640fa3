import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';

/** Reads the public catalogue of plans. */
export const plansQuery = queryOptions({ queryKey: ['plans'], queryFn: () => call('billing.plans') });
