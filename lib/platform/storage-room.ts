import { statfs } from 'node:fs/promises';
import { SECOND_MS } from '@/lib/platform/clock';
import { readDatabaseSizes } from '@/lib/platform/database-sizes';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';
import { config } from './config/config';

/** How long intake stops after PostgreSQL reported a full disk. The next rows then find out whether there is space again. */
const FULL_MS = 5 * SECOND_MS;
/** A limit that is reached is read more often: for each batch of what was refused, one after the other. */
const REACHED_MS = SECOND_MS;
/** The share of the reserve after which the worker stops. */
const USED_SHARE = 0.75;
/** How far work other than intake may exceed DATABASE_MAX_BYTES. */
const RESERVE_OF_DATABASE = 0.1;
/** A small file system, as in a test, keeps at most this share free. */
const MAX_FREE_SHARE = 0.2;

/** A limit on what is stored. */
export interface StorageLimit {
  name: string;
  /** Returns the bytes left above the reserve; null when there is no such limit. */
  read(): Promise<number | null>;
  /** What is kept for work other than intake: the worker stops when three quarters of it are used. 0 for no reserve. */
  reserve?(): number;
  everyMs: number;
  /** What a byte of intake may take until the next read. */
  factor: number;
}

/** What was left when a limit was last read, and the bytes that were let in since. */
interface Reading {
  left: number;
  since: number;
  /** By performance.now(). */
  readAt: number;
  running: Promise<void> | null;
}

/**
 * Tells when intake must stop: reading, signing in and deleting need some space too, so it stops while there is some left
 * (docs/decisions/059-bytes-are-budgeted-by-owner.md). Limits are read when somebody asks, at most once at a time.
 */
export class StorageRoom {
  private readonly readings: readonly (Reading & { limit: StorageLimit })[];
  private fullUntil = Number.NEGATIVE_INFINITY;
  private wasFull = false;

  constructor(limits: readonly StorageLimit[]) {
    const unread = { left: Number.POSITIVE_INFINITY, since: 0, readAt: Number.NEGATIVE_INFINITY, running: null };
    this.readings = limits.map((limit) => ({ limit, ...unread }));
  }

  /** Counts bytes that are about to be stored. */
  take(bytes: number): void {
    for (const reading of this.readings) reading.since += bytes;
  }

  /** Notes that PostgreSQL could not store rows because its disk is full. */
  noteDiskFull(): void {
    this.fullUntil = performance.now() + FULL_MS;
  }

  /** Whether intake must stop. Reads in the background what is due. */
  get isNearlyFull(): boolean {
    const now = performance.now();
    this.startReading(now);
    const isFull = this.leftBytes <= 0 || now < this.fullUntil;
    if (isFull !== this.wasFull) {
      this.wasFull = isFull;
      if (isFull) log().error('storage is nearly full; intake is stopped');
      else log().info('storage has room again; intake goes on');
    }
    return isFull;
  }

  /** Whether the worker must stop, too: its records would take the last bytes, which deleting and signing in need. */
  get isExhausted(): boolean {
    if (!this.isNearlyFull) return false;
    const isUsed = (reading: Reading & { limit: StorageLimit }) => {
      const reserve = reading.limit.reserve?.() ?? 0;
      return reserve > 0 && leftOf(reading) <= -USED_SHARE * reserve;
    };
    return performance.now() < this.fullUntil || this.readings.some(isUsed);
  }

  /** How many bytes may still be stored; Infinity without a limit. */
  get leftBytes(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const reading of this.readings) least = Math.min(least, leftOf(reading));
    return least;
  }

  /** Reads the limits whose time has come, and waits for them. */
  async readDue(): Promise<void> {
    this.startReading(performance.now());
    await Promise.all(this.readings.map(({ running }) => running));
  }

  private startReading(now: number): void {
    for (const reading of this.readings) {
      const dueMs = leftOf(reading) <= 0 ? REACHED_MS : reading.limit.everyMs;
      if (reading.running === null && now - reading.readAt >= dueMs) reading.running = read(reading);
    }
  }
}

function leftOf({ left, since, limit }: Reading & { limit: StorageLimit }): number {
  return left - since * limit.factor;
}

async function read(reading: Reading & { limit: StorageLimit }): Promise<void> {
  const before = reading.since;
  reading.readAt = performance.now();
  try {
    reading.left = (await reading.limit.read()) ?? Number.POSITIVE_INFINITY;
    reading.since -= before;
  } catch (error) {
    const { name } = reading.limit;
    log().warn({ err: error, limit: name }, 'could not read how much storage is left; using the last figure');
  } finally {
    reading.running = null;
  }
}

/** Returns how much of a file system may still be filled; null when it tells no size. */
export function usableBytes({ bavail, blocks, bsize }: Record<'bavail' | 'blocks' | 'bsize', number>, minFree: number) {
  return blocks === 0 ? null : bavail * bsize - reserveOf({ blocks, bsize }, minFree);
}

function reserveOf({ blocks, bsize }: Record<'blocks' | 'bsize', number>, minFree: number): number {
  return Math.min(minFree, blocks * bsize * MAX_FREE_SHARE);
}

/** As the file system was last read. */
let fileSystemReserve = 0;

const LIMITS: readonly StorageLimit[] = [
  {
    name: 'file system',
    read: async () => {
      const { STORAGE_PATH: path, STORAGE_MIN_FREE_BYTES: minFree } = config();
      if (path === undefined || minFree === 0) return null;
      const size = await statfs(path);
      fileSystemReserve = reserveOf(size, minFree);
      return usableBytes(size, minFree);
    },
    reserve: () => fileSystemReserve,
    everyMs: 2 * SECOND_MS,
    // A row is written to the log and to its table, with its indexes.
    factor: 3,
  },
  {
    name: 'database',
    read: async () => {
      const max = config().DATABASE_MAX_BYTES;
      return max === 0 ? null : max - Math.max(...(await readDatabaseSizes()));
    },
    reserve: () => config().DATABASE_MAX_BYTES * RESERVE_OF_DATABASE,
    everyMs: 30 * SECOND_MS,
    factor: 1.5,
  },
];

/** Returns the room of this process. */
export const storageRoom = () => once('storage-room', () => new StorageRoom(LIMITS));
