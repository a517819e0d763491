import type * as z from 'zod';

/** A filter as callers give it: times as Date or RFC 3339 text, the rest as in JSON. */
type Filter<In, Out> = Date extends Out ? Date | string : Exclude<Out, undefined> extends boolean | number ? Out : In;

/** The parameters of a query schema; `limit` is the number of rows of a page, from 1 to 100. */
export type Query<S extends z.ZodType> = {
  [K in keyof z.input<S> & keyof z.output<S>]?: Filter<z.input<S>[K], z.output<S>[K]>;
};

/** The input of a body schema. */
export type Body<S extends z.ZodType> = z.input<S>;

/** Returns the query string with its question mark; empty without parameters. Leaves out undefined. */
export function toQueryString(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const pairs = given.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : String(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
