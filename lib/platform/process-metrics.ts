import { shareWaits } from './connection-shares';
import { once } from './globals';
import { counterOnce, setGauge, setLabelledGauge } from './metrics';
import type { Collector } from './metrics-collectors';
import { readWorstFigures } from './metrics-sql';
import { poolUse } from './process-figures';
import { readFigures } from './read-figures';
import { storageRoom } from './storage-room';

const POOL_LABELS = ['part', 'pool'];

interface PartPoolUse {
  part: string;
  pool: string;
  max: number;
  inUse: number;
  waiting: number;
}

/**
 * Shows the use of the pools of this web process. Must run before the collectors, whose statements would be counted. Needs no
 * connection, so an exhausted pool is visible.
 */
export function showOwnPools(): void {
  showShareWaits();
  shownPools().own = poolUse().map((use) => ({ ...use, part: 'web' }));
  showPools();
}

function showShareWaits(): void {
  const name = 'database_share_waits_total';
  const help = 'Statements of requests that waited for the share of their tenant, and those that were refused after it';
  const counter = counterOnce({ name, help, labelNames: ['share', 'result'] });
  counter.reset();
  for (const [share, counts] of Object.entries(shareWaits())) {
    for (const [result, count] of Object.entries(counts)) counter.inc({ share, result }, count);
  }
}

/** The processes of the other parts: their number, the delays of their event loops, and the use of the pools of the worst one. */
export const PROCESS_FIGURES: Collector = {
  name: 'processes',
  collect: async () => {
    const rows = await readFigures(readWorstFigures);
    shownPools().others = rows.flatMap(({ part, poolMax: max, ...row }) => [
      { part, pool: 'general', max, inUse: row.generalInUse, waiting: row.generalWaiting },
      { part, pool: 'hot', max, inUse: row.hotInUse, waiting: row.hotWaiting },
    ]);
    showPools();
    const byPart = { help: 'Processes seen within 30 seconds', labelNames: ['part'] };
    setLabelledGauge(
      { ...byPart, name: 'part_processes' },
      rows.map(({ part, processes }) => [{ part }, processes]),
    );
    const delayHelp =
      'The longest delay of the event loop in the last ten seconds, sampled; that of web is nodejs_eventloop_lag';
    setLabelledGauge(
      { name: 'event_loop_delay_seconds', help: delayHelp, labelNames: ['part'] },
      rows.map(({ part, eventLoopDelayMs }) => [{ part }, eventLoopDelayMs / 1000]),
    );
  },
};

function shownPools(): { own: PartPoolUse[]; others: PartPoolUse[] } {
  return once('shown-pools', () => ({ own: [], others: [] }));
}

function showPools(): void {
  const { own, others } = shownPools();
  const uses = [...own, ...others].map(({ part, pool, ...use }) => ({ labels: { part, pool }, ...use }));
  const show = (name: string, what: string, figure: 'max' | 'inUse' | 'waiting') => {
    const help = `${what}; of this web process, and the most of any process of another part`;
    setLabelledGauge(
      { name, help, labelNames: POOL_LABELS },
      uses.map((use) => [use.labels, use[figure]]),
    );
  };
  show('database_pool_connections_max', 'Connections of a pool at most', 'max');
  show('database_pool_connections_in_use', 'Connections that run a statement or a transaction', 'inUse');
  show('database_pool_waiting', 'Statements that wait for a connection', 'waiting');
}

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
