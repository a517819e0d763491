import type { Job } from '@/lib/delivery/engine/types';
import { RoundRobin } from '@/lib/platform/round-robin';
import type { ProjectLoad } from './project-load';
import { QUICK_MS, SlotPolicy, type SlotUse } from './slot-policy';
import type { TargetQueue } from './target-queue';
import type { WorkerLoad } from './worker-load';

export type Lane = 'quick' | 'slow';

/** An attempt in flight, and the lane whose slot it uses. */
interface Attempt {
  readonly queue: TargetQueue;
  readonly job: Job;
  readonly startedAt: number;
  lane: Lane;
}

interface LanesOptions {
  concurrency: number;
  load: WorkerLoad;
  mayStart(): boolean;
  /** Starts the next job of a target. @returns false when it has none that can start */
  start(queue: TargetQueue, lane: Lane): boolean;
  /** Called when an attempt has run so long that its target counts as slow. */
  onFoundSlow(queue: TargetQueue): void;
}

/**
 * How long a lane starts attempts in one turn of the event loop. What follows each start in this turn and the next ones takes four times as
 * long, and delays responses that have arrived and what others send.
 */
const TURN_MS = 1;
/** A round ends after this many projects in a row that cannot start anything. */
const MAX_IDLE_TURNS = 64;

/** Gives the slots of a worker to owners and their projects, round robin, in two lanes: quick attempts and slow attempts. */
export class Lanes {
  private readonly policy: SlotPolicy;
  private readonly attempts = new Set<Attempt>();
  /** Attempts in quick slots, oldest first. */
  private readonly quick = new Set<Attempt>();
  private readonly quickTurns = new RoundRobin<ProjectLoad<TargetQueue>>();
  private readonly slowTurns = new RoundRobin<ProjectLoad<TargetQueue>>();
  private readonly pacer: StartPacer;
  /** What starting attempts has taken in this turn of the event loop. */
  private readonly spentMs = { quick: 0, slow: 0 };
  private nextTurn: NodeJS.Immediate | null = null;

  constructor(private readonly options: LanesOptions) {
    this.policy = new SlotPolicy(options.concurrency);
    this.pacer = new StartPacer(options.load.paced, () => this.pump());
  }

  /** Whether a project, or its owner, has used up its slow slots. Its unproven targets then wait for slow slots, since they may hang as well. */
  isOutOfSlowSlots(project: ProjectLoad<TargetQueue>): boolean {
    return this.policy.isOutOfSlowSlots(this.use(), project);
  }

  slowRoomOf(project: ProjectLoad<TargetQueue>): number {
    return this.policy.slowRoom(this.use(), project);
  }

  jobsInFlight(): Job[] {
    return [...this.attempts].map(({ job }) => job);
  }

  countInFlight(): number {
    return this.attempts.size;
  }

  /** Queues a target for its next turn if it can start an attempt. */
  enqueue(queue: TargetQueue): void {
    if (queue.canStart) queue.project.enqueue(queue);
    this.takeTurns(queue.project);
  }

  begin(queue: TargetQueue, job: Job, lane: Lane): Attempt {
    const attempt: Attempt = { queue, job, startedAt: performance.now(), lane };
    queue.inFlight += 1;
    queue.project.count(lane, 1);
    this.options.load.slots[lane] += 1;
    this.attempts.add(attempt);
    if (lane === 'quick') this.quick.add(attempt);
    return attempt;
  }

  end(attempt: Attempt): void {
    const { queue, lane } = attempt;
    queue.inFlight -= 1;
    queue.project.count(lane, -1);
    this.options.load.slots[lane] -= 1;
    this.attempts.delete(attempt);
    this.quick.delete(attempt);
    // The unproven targets of the project may start in quick slots again.
    this.takeTurns(queue.project);
  }

  /** Moves attempts that have lasted QUICK_MS to slow slots. */
  moveLongRunning(): void {
    const before = performance.now() - QUICK_MS;
    for (const attempt of this.quick) {
      if (attempt.startedAt > before) break;
      const { queue } = attempt;
      this.quick.delete(attempt);
      attempt.lane = 'slow';
      queue.project.count('quick', -1);
      queue.project.count('slow', 1);
      this.options.load.slots.quick -= 1;
      this.options.load.slots.slow += 1;
      queue.learnLongRunning();
      this.enqueue(queue);
      this.options.onFoundSlow(queue);
    }
  }

  /** Starts as many attempts as the slots allow, for a bounded time in each turn of the event loop. */
  pump(): void {
    const goOn = [this.pumpQuick(), this.pumpSlow()];
    if (!goOn.includes(true)) return;
    this.nextTurn ??= setImmediate(() => {
      this.nextTurn = null;
      this.spentMs.quick = 0;
      this.spentMs.slow = 0;
      this.pump();
    });
  }

  private pumpQuick(): boolean {
    return this.pumpLane('quick', this.quickTurns, (project) => {
      if (!this.policy.mayStartQuick(this.use(), project)) return null;
      const quick = project.take('quick');
      const mayStartUnproven = this.policy.mayStartUnproven(this.use(), project) && this.pacer.mayStart;
      return quick ?? (mayStartUnproven ? project.take('unproven') : null);
    });
  }

  private pumpSlow(): boolean {
    return this.pumpLane('slow', this.slowTurns, (project) => {
      if (!this.policy.mayStartSlow(this.use(), project) || !this.pacer.mayStart) return null;
      return project.take('suspect') ?? (this.isOutOfSlowSlots(project) ? project.take('unproven') : null);
    });
  }

  /** Visits the projects in turn until the time is spent or no project can start anything. @returns whether more may start in the next turn */
  private pumpLane(
    lane: Lane,
    turns: RoundRobin<ProjectLoad<TargetQueue>>,
    next: (project: ProjectLoad<TargetQueue>) => TargetQueue | null,
  ): boolean {
    const since = performance.now() - this.spentMs[lane];
    const isSpent = () => performance.now() - since >= TURN_MS;
    let started = 0;
    const most = () => Math.min(turns.length, MAX_IDLE_TURNS);
    for (let idle = 0; !isSpent() && idle < most() && this.options.mayStart(); ) {
      const project = turns.shift();
      if (project === undefined) break;
      const queue = next(project);
      const isPaced = queue !== null && queue.pace !== 'quick';
      const hasStarted = queue !== null && this.options.start(queue, lane);
      if (hasStarted && isPaced) this.pacer.noteStart();
      if (queue !== null) this.enqueue(queue);
      if (hasStarted) started += 1;
      idle = hasStarted ? 0 : idle + 1;
      this.setTurn(lane, project, false);
      this.takeTurns(project);
    }
    if (started > 0) this.spentMs[lane] = performance.now() - since;
    return started > 0 || isSpent();
  }

  /** Queues a project for its turn in each lane that its targets need. */
  private takeTurns(project: ProjectLoad<TargetQueue>): void {
    const isOutOfSlowSlots = project.has('unproven') && this.isOutOfSlowSlots(project);
    if (!project.isInQuickTurns && (project.has('quick') || (project.has('unproven') && !isOutOfSlowSlots))) {
      this.setTurn('quick', project, true);
      this.quickTurns.push(project.owner.ownerId, project);
    }
    if (!project.isInSlowTurns && (project.has('suspect') || isOutOfSlowSlots)) {
      this.setTurn('slow', project, true);
      this.slowTurns.push(project.owner.ownerId, project);
    }
  }

  private setTurn(lane: Lane, project: ProjectLoad<TargetQueue>, waits: boolean): void {
    if (lane === 'quick') project.isInQuickTurns = waits;
    else project.isInSlowTurns = waits;
  }

  /** The attempts of the worker. */
  private use(): SlotUse {
    return this.options.load.slots;
  }
}

/** Starts in each interval at most. */
const STARTS = 3;
const INTERVAL_MS = 5;

/**
 * Limits the rate of attempts to targets that are not known to answer well. Most of these attempts open a connection and many fail,
 * which takes several times the processor time of a response on an open connection. Hundreds at once would delay all others.
 */
class StartPacer {
  private timer: NodeJS.Timeout | null = null;

  /**
   * @param paced the starts of the worker
   * @param onReady called when an attempt may start, after `mayStart` was false
   */
  constructor(
    private readonly paced: WorkerLoad['paced'],
    private readonly onReady: () => void,
  ) {}

  get mayStart(): boolean {
    const elapsedMs = performance.now() - this.paced.since;
    if (this.paced.starts < STARTS || elapsedMs >= INTERVAL_MS) return true;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.onReady();
    }, INTERVAL_MS - elapsedMs);
    return false;
  }

  noteStart(): void {
    const now = performance.now();
    if (now - this.paced.since >= INTERVAL_MS) {
      this.paced.since = now;
      this.paced.starts = 0;
    }
    this.paced.starts += 1;
  }
}
