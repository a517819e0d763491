import { v7 } from 'uuid';
import * as z from 'zod';

/** A new UUIDv7: sorts by the time it was made, so ids page and cut off by age. */
export function newId(): string {
  return v7();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID that PostgreSQL would accept in its canonical form. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** An id in a body, query or answer. */
export const Id = z.string().regex(UUID, 'must be a UUID').meta({ format: 'uuid' });

/** The lowest UUIDv7 of an instant: a bound by which rows of an age are found through their ids. */
export function lowestIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}
