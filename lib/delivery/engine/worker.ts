import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerStatus } from '@/lib/delivery/workers/heartbeat';
import { beforeCellIsChosen, knownCells } from '@/lib/platform/cells/current-cell';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { log } from '@/lib/platform/log';
import { startMetricFlush } from '@/lib/platform/metrics-counters';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { WakeListener } from '@/lib/platform/wake-listener';
import { CellEngine, type CellJobs, CLOSING_MS } from './cell-engine';
import { WorkerLoad } from './dispatch/worker-load';
import { Loop } from './loop';
import { MailSender, type SendMail } from './send-mails';
import { deliveryPools } from './send-once';

export interface WorkerOptions extends CellJobs {
  sendMail: SendMail;
  /**
   * Finishes erasures until the signal aborts, and returns whether more are due. Passed in, because the domain of erasures
   * depends on this one.
   */
  finishErasures?: (signal: AbortSignal) => Promise<boolean>;
  pools?: HttpPools;
  /** Quick attempts in flight at most; DELIVERY_CONCURRENCY by default. */
  concurrency?: number;
  /** Attempts in flight for one target at most; DELIVERY_ENDPOINT_CONCURRENCY by default. */
  targetConcurrency?: number;
  /** The cells to serve, and none for all; WORKER_CELLS by default. */
  cells?: readonly string[];
}

const ERASURES_INTERVAL_MS = MINUTE_MS;
/** For mails that wait for another try, and those stored while the connection for notifications was lost. */
const MAILS_INTERVAL_MS = SECOND_MS;
/** What an engine that another one replaces has for its attempts: they end sooner, and others get its queued work at once. */
const REPLACED_MS = 30 * SECOND_MS;

/**
 * The delivery process: an engine for each cell that it serves, and what is of no cell: mails, erasures and counters. Any number of
 * workers may share a database: all state that another worker needs is in there.
 */
export class DeliveryWorker {
  private readonly load = new WorkerLoad();
  /** By cell. */
  private readonly engines = new Map<string, CellEngine>();
  /** The engines that were replaced and have not ended yet. */
  private readonly replaced = new Set<CellEngine>();
  /** The engines whose attempts may still end. */
  private readonly uncut = new Set<CellEngine>();
  private readonly cells: readonly string[];
  private readonly pools: HttpPools;
  private readonly mails: Loop;
  private readonly mailSender: MailSender;
  private readonly erasures: Loop;
  private readonly stopping = new AbortController();
  private readonly listener = new WakeListener({
    eds_mail: () => this.mails.wake(),
    eds_erasure: () => this.erasures.wake(),
  });
  private readonly stopMetrics = startMetricFlush();

  constructor(private readonly options: WorkerOptions) {
    this.cells = options.cells ?? config().WORKER_CELLS;
    this.pools = options.pools ?? deliveryPools();
    this.mailSender = new MailSender(options.sendMail, () => this.mails.wake());
    this.mails = new Loop('mails', () => {
      this.mails.timer.restart(MAILS_INTERVAL_MS);
      return beforeCellIsChosen(() => this.mailSender.sendDue());
    });
    this.erasures = new Loop('erasures', () => {
      this.erasures.timer.restart(ERASURES_INTERVAL_MS);
      const { finishErasures = async () => false } = options;
      return beforeCellIsChosen(() => finishErasures(this.stopping.signal));
    });
  }

  async start(): Promise<void> {
    this.serve(knownCells());
    this.mails.wake();
    this.erasures.wake();
    await this.listener.connect();
  }

  /** Starts engines for new cells. The engine of the first cell, which named none, is replaced when a second one is known. */
  serve(known: readonly string[]): void {
    if (this.stopping.signal.aborted) return;
    const isOnly = known.length === 1;
    const served = known.filter((cell) => this.cells.length === 0 || this.cells.includes(cell));
    for (const [cell, engine] of this.engines) {
      if (!served.includes(cell) || (engine.isOnly && !isOnly)) this.replace(cell, engine);
    }
    for (const cell of served) if (!this.engines.has(cell)) this.startEngine(cell, isOnly);
    if (!isOnly || this.cells.length > 0) log().info({ cells: served }, 'serving cells');
  }

  /** The cells that it serves now. */
  get servedCells(): string[] {
    return [...this.engines.keys()];
  }

  /** What the worker has in memory, and how long ago the last successful poll was, of the cell that has waited longest for one. */
  status(): WorkerStatus {
    const engines = [...this.engines.values()].map((engine) => engine.status());
    const all = [...engines, ...[...this.replaced].map((engine) => engine.status())];
    const passes = engines.map(({ lastPassMs }) => lastPassMs ?? null);
    return {
      underWay: all.reduce((sum, { underWay }) => sum + underWay, 0),
      waiting: all.reduce((sum, { waiting }) => sum + waiting, 0),
      lastPassMs: passes.length === 0 || passes.includes(null) ? null : Math.max(...passes.map(Number)),
    };
  }

  /**
   * Takes on nothing more, releases the queued work for other workers, lets attempts end, and records the results. Returns within
   * `deadlineMs` if the database answers.
   */
  async stop(deadlineMs: number): Promise<void> {
    this.stopping.abort();
    const loops = Promise.all([this.mails.stop().then(() => this.mailSender.ended()), this.erasures.stop()]);
    const engines = [...this.engines.values(), ...this.replaced].map((engine) => engine.stop(deadlineMs));
    const loopsMs = Math.max(0, deadlineMs - CLOSING_MS / 2);
    await Promise.all([
      this.listener.close(),
      Promise.race([loops, sleep(loopsMs, undefined, { ref: false })]),
      ...engines,
    ]);
    await this.pools.destroy();
    await this.stopMetrics();
  }

  private startEngine(cell: string, isOnly: boolean): void {
    const { DELIVERY_CONCURRENCY, DELIVERY_ENDPOINT_CONCURRENCY } = config();
    const engine: CellEngine = new CellEngine({
      ...this.options,
      cell,
      isOnly,
      pools: this.pools,
      concurrency: this.options.concurrency ?? DELIVERY_CONCURRENCY,
      targetConcurrency: this.options.targetConcurrency ?? DELIVERY_ENDPOINT_CONCURRENCY,
      load: this.load,
      cutOff: () => this.cutOff(engine),
    });
    this.engines.set(cell, engine);
    this.uncut.add(engine);
    engine.start(this.listener);
  }

  private replace(cell: string, engine: CellEngine): void {
    this.engines.delete(cell);
    this.replaced.add(engine);
    void engine
      .stop(REPLACED_MS)
      .catch((error: unknown) => log().error({ err: error, cell }, 'engine of a cell could not end'))
      .finally(() => this.replaced.delete(engine));
  }

  /** The engines share connections, so these end when no engine has attempts that may still end. */
  private async cutOff(engine: CellEngine): Promise<void> {
    this.uncut.delete(engine);
    if (this.stopping.signal.aborted && this.uncut.size === 0) await this.pools.destroy();
  }
}
