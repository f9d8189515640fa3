import type { ServiceRow } from '#shared/api/cluster.ts';

/** `2/3`; undefined when either was not read. */
export const ofLabel = (ready: number | undefined, desired: number | undefined): string | undefined =>
  ready === undefined || desired === undefined ? undefined : `${ready}/${desired}`;

/** Tells whether a readiness probe decides what counts as ready; undefined if unknown. */
export const probeLabel = ({ readiness_probe }: ServiceRow): string | undefined =>
  readiness_probe === undefined ? undefined : readiness_probe ? 'Yes' : 'No';

/** Ports as kubectl prints them, such as `443, 9090`. */
export const portsLabel = ({ ports }: ServiceRow): string => ports.map(({ port }) => port).join(', ');
