import type { DataClass, RetentionRule } from '@/lib/retention/schema';
import { daysOf } from './retention-labels';

const DAY_MS = 86_400_000;

/** Returns when a UUIDv7 was created; null for any other id. */
export function timestampOfId(id: string): Date | null {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(id)) return null;
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** Returns when the id was created if that is longer ago than the shortest of these rules keeps data; else null. */
export function createdBeforeRetention(
  id: string,
  classes: readonly RetentionRule[] | undefined,
  kinds: readonly DataClass[],
  now: Date,
): Date | null {
  const days = kinds.map((kind) => daysOf(classes, kind)).filter((value) => value !== undefined);
  const createdAt = timestampOfId(id);
  if (createdAt === null || days.length === 0) return null;
  return now.getTime() - createdAt.getTime() >= Math.min(...days) * DAY_MS ? createdAt : null;
}
