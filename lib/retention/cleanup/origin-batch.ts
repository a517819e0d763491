import type { Transaction } from '@/lib/platform/db';
import type { JobRun } from '@/lib/retention/jobs/job-run';
import type { AttemptLookout, AttemptWindow } from './attempt-lookout';
import type { DeletedDeliveries } from './delete-attempts';
import { IdList } from './id-list';
import type { Origin, Place } from './origin-sql';
import type { Thinning } from './thin-out';

/** Batches are planned a little smaller than they may be: one that does not fit takes more statements. */
export const FILL = 0.95;

/** The transaction of a batch, and what it may do. */
export interface OriginBatch {
  tx: Transaction;
  run: JobRun;
  origin: Origin;
  lookout: AttemptLookout;
  /** Rows of a table that it may remove. */
  limit: number;
}

/** Origins that are locked, with an array of PostgreSQL's, as text (IdList). */
export interface Locked {
  met: number;
  ids: string;
  last_id: string;
  last_time: string;
}

/** Deliveries that are gone, with arrays of PostgreSQL's in the order of their ids: as a rule nobody reads them. */
export interface GoneDeliveries {
  deliveries: number;
  delivery_ids: string | null;
  stored_attempts: string | null;
  /** When the last attempt of any was recorded. */
  touched_at: Date | null;
}

/** How far a batch came. */
export interface Progress {
  /** Where the next one goes on; null: where this one began. */
  place: Place | null;
  /** How many origins fill the next one, as it seems. */
  room: number;
  isThrough: boolean;
  /** An event of which a part is gone, and the next batch is to remove more. */
  thinning: Thinning | null;
}

/** The times between which the attempts of deliveries were made; null when there are none. */
export async function findWindow({ tx, lookout }: OriginBatch, of: GoneDeliveries): Promise<AttemptWindow | null> {
  const ids = new IdList(of.delivery_ids);
  const [first_id, last_id] = [ids.at(0), ids.at(-1)];
  if (first_id === undefined || last_id === undefined) return null;
  return lookout.findWindow(tx, { first_id, last_id, touched_at: of.touched_at });
}

/** Numbers of an array of PostgreSQL's. */
export const readNumbers = (array: string | null) => JSON.parse(`[${array?.slice(1, -1) ?? ''}]`) as number[];

export function toDeleted({ delivery_ids, stored_attempts }: GoneDeliveries, window: AttemptWindow): DeletedDeliveries {
  return { ids: new IdList(delivery_ids), storedAttempts: readNumbers(stored_attempts), window };
}

/** Runs one of the statements, prepared, that give one row. */
export async function ask<Row extends object>(
  tx: Transaction,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row> {
  const { rows } = await tx.query<Row>({ name: `retention-${name}`, text, values });
  if (rows[0] === undefined) throw new Error(`${name} gave no row`);
  return rows[0];
}

export const placeAfter = ({ last_time: time, last_id: id }: Pick<Locked, 'last_time' | 'last_id'>): Place => ({
  time,
  id,
});
