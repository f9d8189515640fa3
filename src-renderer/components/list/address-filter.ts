import type { z } from 'zod';
import type { AddressPart, PageAddress } from '#shared/page-address.ts';
import type { Address } from '../../core/page-address.ts';

/** A filter with parts to change; undefined takes a part off. */
export type FilterChange<Filter> = { readonly [Part in keyof Filter]?: Filter[Part] | undefined };

/** Filter read from an address. */
export type FilterOfAddress<Filter> = {
  readonly filter: Filter;
  /** Parts that say nothing the page understands, such as `outcome=good`. They narrow nothing, and the page says so. */
  readonly ignored: readonly string[];
};

/** Reads a list's filter from the address and writes it back. */
export type AddressFilter<Filter> = {
  /** Reads the filter an address names. */
  read(address: Partial<Address>): FilterOfAddress<Filter>;
  /** The filter with parts changed. An empty part narrows nothing. */
  changed(filter: Filter, change: FilterChange<Filter>): Filter;
  /** The parts of the address that say the filter, in the order of the schema. */
  place(filter: Filter): PageAddress;
};

type FilterShape = { readonly [Part in AddressPart]?: z.ZodType<string | undefined, string | undefined> };

/** The filter of a list whose parts are parts of the address, as a schema of optional strings describes it. */
export function createAddressFilter<Shape extends FilterShape>(
  schema: z.ZodObject<Shape>,
): AddressFilter<z.infer<z.ZodObject<Shape>>> {
  type Filter = z.infer<z.ZodObject<Shape>>;
  const parts = Object.entries(schema.shape);
  const stringsOf = (values: object): [string, string][] =>
    Object.entries(values).flatMap(([part, value]): [string, string][] =>
      typeof value === 'string' && value !== '' ? [[part, value]] : [],
    );
  const parsed = (values: readonly (readonly [string, string])[]): Filter =>
    schema.parse(Object.fromEntries(values));
  const known = (values: object) => {
    const given = stringsOf(values);
    return parts.flatMap(([part, rule]) => {
      const entry = given.find(([name]) => name === part);
      return entry === undefined ? [] : [{ part, value: entry[1], rule }];
    });
  };
  const read = (values: object): FilterOfAddress<Filter> => {
    const given = known(values).map(({ part, value, rule }) => ({
      part,
      value,
      understood: rule?.safeParse(value).success === true,
    }));
    return {
      filter: parsed(given.flatMap(({ part, value, understood }) => (understood ? [[part, value]] : []))),
      ignored: given.flatMap(({ part, value, understood }) => (understood ? [] : [`${part}=${value}`])),
    };
  };
  return {
    read,
    changed: (filter, change) => read({ ...filter, ...change }).filter,
    place: (filter) => Object.fromEntries(known(filter).map(({ part, value }) => [part, value])),
  };
}
