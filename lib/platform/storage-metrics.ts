// Not in storage-room.ts: the worker asks for room, and does not load the library for metrics.
import { setGauge } from './metrics';
import type { Collector } from './metrics-collectors';
import { storageRoom } from './storage-room';

/** Shows whether this process takes in events, and how many bytes more it would. */
export const STORAGE_ROOM: Collector = {
  name: 'storage',
  async collect() {
    await storageRoom().readDue();
    const { isNearlyFull, leftBytes } = storageRoom();
    const help = '1 while this process refuses events and requests to sources because storage is nearly full';
    setGauge({ name: 'intake_stopped', help }, isNearlyFull ? 1 : 0);
    if (!Number.isFinite(leftBytes)) return;
    const leftHelp = 'Bytes that may still be stored before intake stops, by STORAGE_PATH and DATABASE_MAX_BYTES';
    setGauge({ name: 'storage_left_bytes', help: leftHelp }, Math.max(0, leftBytes));
  },
};
