import { countDone, type RowsByTable } from '@/lib/retention/jobs/job-run';
import type { AttemptWindow } from './attempt-lookout';
import { deleteAttempts, deleteSomeAttempts } from './delete-attempts';
import { IdList } from './id-list';
import { type OriginBatch, type Progress, readNumbers } from './origin-batch';
import type { Place } from './origin-sql';
import { beginSql, nextSql } from './thin-out-sql';

/** Deliveries that are looked up at once: their ids take 4 MB. Of an event with more the thinning begins anew with the rest. */
const MOST_IDS = 100_000;

/** `through`: what is left may fit into one batch, and leaves with the event; `held`: somebody works on it, so it stays. */
export type ThinningState = 'more' | 'through' | 'held';

interface Begun {
  is_free: boolean;
  /** Rows of the outbox. */
  entries: number;
  project_id: string;
  last_id: string;
  /** An array of PostgreSQL's, as text. */
  ids: string | null;
}

interface Next {
  is_free: boolean;
  ids: string | null;
  stored_attempts: string | null;
  touched_at: Date | null;
}

/** Deliveries that are locked. */
interface Met {
  /** In order, */
  ids: IdList;
  /** and how many attempts each has. */
  storedAttempts: number[];
  /** When the last attempt of any was recorded. */
  touchedAt: Date | null;
}

/**
 * Removes what hangs on an event that is to leave and has more of it than a batch may remove: its deliveries, or the
 * attempts of one of them, a batch in each transaction. Should the run be broken off before the last, the event has still
 * expired, and the next one goes on.
 *
 * A run keeps this from one batch to the next. That nobody works on the event is found out once, by locking all that hangs
 * on it; to do so for each batch takes a time that grows with the square of the deliveries. From then on a batch looks for
 * what was put back into the queue since, and locks what it removes and no more: if somebody retries one of the others at
 * this very moment, the batch comes first and the retry second, and what is left then stays.
 */
export class Thinning {
  /** Of the event. */
  readonly id: string;
  readonly #begun: Begun;
  /** Deliveries that are left of those that were looked up, in order. */
  #ids: IdList;
  /** How many are locked next: about as many as have a batch of attempts. */
  #room = Number.POSITIVE_INFINITY;

  private constructor(id: string, begun: Begun) {
    this.id = id;
    this.#begun = begun;
    this.#ids = new IdList(begun.ids);
  }

  /** @returns null when somebody works on a part of the event: then all of it stays */
  static async begin({ tx, origin }: OriginBatch, id: string): Promise<Thinning | null> {
    const { rows } = await tx.query<Begun>(beginSql(origin), [id, MOST_IDS]);
    const [begun] = rows;
    if (begun === undefined || !begun.is_free || begun.ids === null) return null;
    return new Thinning(id, begun);
  }

  /** Removes a batch. If it is rolled back after that, nothing is lost: once through, whoever finds the rest begins anew. */
  async removeBatch(batch: OriginBatch): Promise<ThinningState> {
    const next = this.#ids.slice(0, Math.min(batch.limit, this.#room));
    const met = await this.#lock(batch, next);
    if (met === null) return 'held';
    const { gone, left } = await removeFirst(batch, met);
    const isAll = gone === met.ids.length;
    const end = isAll ? next.length : this.#ids.indexOf(met.ids.at(gone) ?? '');
    this.#ids = this.#ids.slice(end);
    this.#room = Math.max(1, gone * 2);
    return left > 0 || this.#ids.length > (isAll ? batch.limit : gone) ? 'more' : 'through';
  }

  /** @returns null when somebody works on the event; fewer than asked for when an erasure was faster */
  async #lock({ tx, origin }: OriginBatch, ids: IdList): Promise<Met | null> {
    const { project_id, last_id, entries } = this.#begun;
    const values = [this.id, ids.text, project_id, ids.at(0), last_id, entries];
    const query = { name: `retention-thin-out-${origin.table}`, text: nextSql(origin), values };
    const [next] = (await tx.query<Next>(query)).rows;
    if (next === undefined || !next.is_free) return null;
    return {
      ids: new IdList(next.ids),
      storedAttempts: readNumbers(next.stored_attempts),
      touchedAt: next.touched_at,
    };
  }
}

/** @returns how many of the first deliveries are gone, and how many attempts the first one has left when it is not */
async function removeFirst(batch: OriginBatch, met: Met): Promise<{ gone: number; left: number }> {
  const { tx, run, lookout, limit } = batch;
  const [first_id, last_id] = [met.ids.at(0), met.ids.at(-1)];
  if (first_id === undefined || last_id === undefined) return { gone: 0, left: 0 };
  const window = await lookout.findWindow(tx, { first_id, last_id, touched_at: met.touchedAt });
  const gone = window === null ? met.ids.length : countUpTo(limit, met.storedAttempts);
  if (window !== null && gone === 0) return { gone, left: await thinAttempts(batch, met, window) };
  const ids = met.ids.slice(0, gone);
  const rows: RowsByTable = {};
  const { rowCount } = await tx.query('DELETE FROM deliveries WHERE id = ANY(ARRAY(SELECT unnest($1::uuid[])))', [
    ids.text,
  ]);
  rows.deliveries = rowCount ?? 0;
  if (window !== null) {
    rows.delivery_attempts = await deleteAttempts(tx, { ids, storedAttempts: met.storedAttempts, window }, limit);
  }
  await countDone(tx, run, { rows });
  return { gone, left: 0 };
}

/** How many of the first deliveries have no more than `limit` attempts together. */
function countUpTo(limit: number, storedAttempts: readonly number[]): number {
  let attempts = 0;
  const end = storedAttempts.findIndex((own) => {
    attempts += own;
    return attempts > limit;
  });
  return end === -1 ? storedAttempts.length : end;
}

/** Removes attempts of the first delivery, which has more than a batch may remove. @returns how many are left */
async function thinAttempts({ tx, run, limit }: OriginBatch, met: Met, window: AttemptWindow): Promise<number> {
  const [id, stored = 0] = [met.ids.at(0), met.storedAttempts[0]];
  const removed = await deleteSomeAttempts(tx, met.ids.slice(0, 1), window, limit);
  // The count may be too high, since attempts leave with their partitions: fewer than a batch were the last.
  const left = removed < limit ? 0 : Math.max(stored - removed, 0);
  await tx.query('UPDATE deliveries SET stored_attempts = $2 WHERE id = $1', [id, left]);
  await countDone(tx, run, { rows: { delivery_attempts: removed } });
  return left;
}

/**
 * Removes a batch of what hangs on a locked event.
 *
 * @param begun of the batch before, if that removed something of the same event
 */
export async function thinOut(batch: OriginBatch, id: string, begun: Thinning | null): Promise<Progress> {
  const thinning = begun ?? (await Thinning.begin(batch, id));
  const state = thinning === null ? 'held' : await thinning.removeBatch(batch);
  if (state !== 'held') return { place: null, room: 1, isThrough: false, thinning: state === 'more' ? thinning : null };
  const { tx, origin, limit } = batch;
  const { rows } = await tx.query<Place>(`SELECT created_at::text AS time, id FROM ${origin.table} WHERE id = $1`, [
    id,
  ]);
  return { place: rows[0] ?? null, room: limit, isThrough: false, thinning: null };
}
