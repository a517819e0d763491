import type { SqlTransaction } from '@/lib/platform/db';
import type { JobRun } from '@/lib/retention/jobs/job-run';
import type { AttemptWindowCache } from './attempt-window-cache';
import type { DeliverySource } from './delivery-source';

/** The transaction of one batch. */
export interface EventBatch {
  tx: SqlTransaction;
  run: JobRun;
  source: DeliverySource;
  windows: AttemptWindowCache;
  /** Rows of each table that it may remove. */
  limit: number;
}

/** An event that a run has dealt with; the next batch begins after it. The time is text, since a Date has no microseconds. */
export interface Cursor {
  time: string;
  id: string;
}

/** Locked events, oldest first. */
export interface LockedEvents {
  /** How many of the first ids are meant. */
  count: number;
  /** As PostgreSQL writes an array: the driver needs ten times the memory for 100,000 strings. */
  ids: string;
}

/** Deliveries that are locked, or deleted already: no worker can add an attempt to them. */
export interface LockedDeliveries {
  count: number;
  /** In order, as PostgreSQL writes an array. */
  ids: string;
  /** When the last attempt of any of them was recorded. */
  touchedAt: Date | null;
}

const UUID_LENGTH = 36;

/** The id at an index of an array as PostgreSQL writes it. */
export function idAt(ids: string, index: number): string {
  const start = 1 + index * (UUID_LENGTH + 1);
  return ids.slice(start, start + UUID_LENGTH);
}
