import * as z from 'zod';
import { isId } from '@/lib/platform/ids';
import { storedAddress } from '@/lib/platform/net/client-network';
import type { ScannedPage } from '@/lib/platform/sql/bounded-scan';
import { text } from '@/lib/platform/text';

/** Rows of a page when the query names no limit. */
export const DEFAULT_LIMIT = 50;

const NO_CURSOR = 'is not a cursor of this list';

/** `?limit=&cursor=` of every list (docs/specification.md#api-conventions). Lists extend it with their own filters. */
export const PageQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .pipe(z.number().min(1).max(100))
    .default(DEFAULT_LIMIT)
    .meta({ description: 'Page size', openapi: { type: 'integer', minimum: 1, maximum: 100, default: DEFAULT_LIMIT } }),
  cursor: z
    .string()
    .transform((text, context) => {
      const id = decodeCursor(text);
      if (id === null) context.addIssue({ code: 'custom', message: NO_CURSOR });
      return id ?? z.NEVER;
    })
    .optional()
    .meta({ description: '`nextCursor` of the previous page' }),
});

/** The row after which a page of a list with a chosen order begins: its id, and what the list is ordered by. */
export interface SortPosition {
  id: string;
  /** Null for a row that has no value, and in a list that is ordered by id alone. */
  key: string | number | null;
}

/** `?limit=&cursor=` of a list whose order can be chosen. It belongs to the order, too (lib/http/list-cursor.ts). */
export const SortedPageQuery = PageQuery.extend({
  cursor: z
    .string()
    .max(2_000, NO_CURSOR)
    .transform((text, context) => {
      const position = decodePosition(text);
      if (position === null) context.addIssue({ code: 'custom', message: NO_CURSOR });
      return position ?? z.NEVER;
    })
    .optional()
    .meta({ description: '`nextCursor` of the previous page' }),
});

/** `?q=` of lists of what was sent: an id or key, or text in the content. */
export const ContentSearch = text(200);

/** `?clientAddress=` of lists of what was sent, in the form in which it is stored. */
export const ClientAddress = z
  .string()
  .transform((typed, context) => {
    const address = storedAddress(typed);
    if (address === null) context.addIssue({ code: 'custom', message: 'must be an IP address' });
    return address ?? z.NEVER;
  })
  .meta({ openapi: { type: 'string' } });

export interface Page {
  limit: number;
  /** The id of the last row of the previous page; undefined for the first. */
  cursor?: string | undefined;
}

export interface Listing<T> {
  data: T[];
  nextCursor: string | null;
}

/** Returns the response schema of a list of `item`. */
export function listingOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).meta({ description: 'The items on this page' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({
        description:
          'Pass it as `cursor` for the next page; null on the last page. A page before may have fewer items than `limit`, or none',
        examples: [null],
      }),
  });
}

/** Returns what reads the rows of a page with Prisma, newest first, and one more, which shows whether another page follows. */
export function newestFirst<Where>(
  where: Where,
  { cursor, limit }: Page,
): { where: Where & { id?: { lt: string } }; orderBy: { id: 'desc' }; take: number } {
  return {
    where: { ...where, ...(cursor === undefined ? {} : { id: { lt: cursor } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  };
}

/**
 * Turns rows, read newest first with `LIMIT limit + 1`, into a page. The extra row only shows that there are more. Rows are
 * paged by UUIDv7, so a row that is added meanwhile shifts no page.
 */
export function toListing<Row extends { id: string }, T>(
  rows: Row[],
  limit: number,
  present: (row: Row) => T,
): Listing<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(present),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(last.id) : null,
  };
}

/** Turns a page of a scan into one of the API. It may have fewer rows than `limit`, or none, and more may come after it. */
export function pageToListing<Row, T>({ rows, next }: ScannedPage<Row>, present: (row: Row) => T): Listing<T> {
  return { data: rows.map(present), nextCursor: next === null ? null : encodeCursor(next) };
}

/** Returns an opaque cursor for the row with this UUID. */
export function encodeCursor(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function decodeCursor(cursor: string): string | null {
  if (!/^[A-Za-z0-9_-]{22}$/.test(cursor)) return null;
  const hex = Buffer.from(cursor, 'base64url').toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isId(id) ? id : null;
}

/** Returns an opaque cursor for a row of a list with a chosen order. */
export function encodePosition({ id, key }: SortPosition): string {
  return key === null ? encodeCursor(id) : Buffer.from(JSON.stringify([id, key])).toString('base64url');
}

function decodePosition(cursor: string): SortPosition | null {
  const alone = decodeCursor(cursor);
  if (alone !== null) return { id: alone, key: null };
  try {
    const [id, key]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const isKey = typeof key === 'string' || typeof key === 'number';
    return typeof id === 'string' && isId(id) && isKey ? { id, key } : null;
  } catch {
    return null;
  }
}
