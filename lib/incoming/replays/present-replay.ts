import type { Replay } from '@/lib/incoming/schema';
import type { IncomingEventReplay as ReplayRow } from '@/lib/platform/prisma/generated/client';

/** Converts a row to a replay of the API. */
export function presentReplay(row: Omit<ReplayRow, 'lastIncomingEventId' | 'nextBatchAt'>): Replay {
  return {
    id: row.id,
    sourceId: row.sourceId,
    destinationId: row.destinationId,
    from: row.createdFrom?.toISOString() ?? null,
    to: row.createdTo.toISOString(),
    status: row.status,
    total: row.total,
    replayed: row.replayed,
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}
