import type { z } from 'zod';
import type { RouteId, RouteOf } from '#shared/api/index.ts';
import type { EventShapes, Route } from '#shared/api/route.ts';
import { CallFailed } from '../call-route.ts';

/** One event of a stream, before its data was checked. */
export type HeardEvent = { readonly event: string; readonly data: unknown; readonly id: string | undefined };

/** Routes that have an event stream. */
export type StreamId = {
  [Id in RouteId]: RouteOf<Id> extends { readonly events: EventShapes } ? Id : never;
}[RouteId];

/** The data of a route's events by their names. */
export type EventData<Id extends StreamId> =
  RouteOf<Id> extends { readonly events: infer E extends EventShapes }
    ? { readonly [Name in keyof E & string]: z.output<E[Name]> }
    : never;

/** One event of a route, with data of the shape that the route declares. */
export type StreamEventOf<Id extends StreamId> = {
  [Name in keyof EventData<Id>]: { readonly event: Name; readonly data: EventData<Id>[Name] };
}[keyof EventData<Id>];

/** Checks an event against its route's row. Undefined for one that this client does not know; throws `CallFailed`. */
export function readEvent<Id extends StreamId>(row: Route, heard: HeardEvent): StreamEventOf<Id> | undefined {
  const { path, events } = row;
  const shape = events !== undefined && Object.hasOwn(events, heard.event) ? events[heard.event] : undefined;
  if (shape === undefined) return undefined;
  const read = shape.safeParse(heard.data);
  if (!read.success)
    throw new CallFailed('Unavailable', `The event ${heard.event} of ${path} was not understood.`, 200);
  // The row's own schema proves the data; TypeScript cannot tie a row to its id.
  return { event: heard.event, data: read.data } as StreamEventOf<Id>;
}
