import { database } from '@/lib/platform/db';

/** The cost of some work. */
export interface Cost {
  totalMs: number;
  /** Without pauses: the time during which a connection was checked out of the pool. */
  busyMs: number;
  /** Bytes of write-ahead log, from all writers. */
  walBytes: number;
}

/** Measures `work`. Nothing else in this process may use the database meanwhile. */
export async function measure(work: () => Promise<unknown>): Promise<Cost> {
  const walFrom = await walPosition();
  const pool = database();
  let [out, outSince, busyMs] = [0, 0, 0];
  const onAcquire = () => {
    if (out++ === 0) outSince = performance.now();
  };
  const onRelease = () => {
    if (--out === 0) busyMs += performance.now() - outSince;
  };
  pool.on('acquire', onAcquire).on('release', onRelease);
  const startedAt = performance.now();
  try {
    await work();
  } finally {
    pool.off('acquire', onAcquire).off('release', onRelease);
  }
  const totalMs = performance.now() - startedAt;
  const { rows } = await database().query<{ bytes: string }>(
    'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn) AS bytes',
    [walFrom],
  );
  return { totalMs, busyMs, walBytes: Number(rows[0]?.bytes) };
}

async function walPosition(): Promise<string> {
  const { rows } = await database().query<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn');
  return rows[0]?.lsn ?? '0/0';
}
