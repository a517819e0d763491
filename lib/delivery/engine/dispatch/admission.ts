import type { Target } from '@/lib/delivery/engine/types';
import { projectOfTurn, turnIdOf } from '@/lib/events/turn-key';
import type { Lanes } from './lanes';
import type { LeasedJobs } from './leased-jobs';
import { isWithinShare, mayHaveFirst, OWNER_WEIGHT, remainingShare, SOON_FREE, type Usage } from './slot-policy';
import type { TargetQueues } from './target-queues';

/** Jobs in memory that owners share: enough to keep every slot busy. */
export const MAX_JOBS = 2_000;
/** Bytes of messages in memory that owners share. Each message counts once. */
export const MAX_BYTES = 32 * 1024 * 1024;
/** How much more there may be of both, for the first job of each owner. */
const WITH_FIRST_JOBS = 4;
/** How long a turn gets no first attempts after its deliveries had to be stored. Claims catch up in this time. */
export const DRAIN_MS = 100;

/** How much of what a project may use each of its customers may use, so that one of them does not delay the others. */
const CUSTOMER_WEIGHT = 0.5;

/** The tenants of a target whose jobs are counted. */
export function tenantsOf(
  { projectId, customerId }: Pick<Target, 'projectId' | 'customerId'>,
  ownerId: string,
): string[] {
  return customerId === null ? [projectId, ownerId] : [customerId, projectId, ownerId];
}

/** Decides how much work a worker takes on for a project and its customers: backpressure on claims and on the outbox. */
export class Admission {
  /** By turn key, as a time of performance.now(). */
  private readonly drainingUntil = new Map<string, number>();
  private isClosed = false;

  constructor(
    private readonly jobs: LeasedJobs,
    private readonly queues: TargetQueues,
    private readonly lanes: Lanes,
  ) {}

  /** How many more jobs a project may have in memory: 0 while it or its owner uses up its share of jobs or bytes. */
  roomOf(projectId: string): number {
    if (this.isClosed || this.byteRoomOf(projectId) === 0) return 0;
    return this.shareOf(projectId, MAX_JOBS, this.jobs);
  }

  /** How many more bytes of messages a project may have in memory. */
  byteRoomOf(projectId: string): number {
    return this.shareOf(projectId, MAX_BYTES, this.jobs.messages);
  }

  /** How many more jobs all projects of an owner may have in memory. */
  roomOfOwner(ownerId: string): number {
    if (this.isClosed || this.ownerShareOf(ownerId, MAX_BYTES, this.jobs.messages) === 0) return 0;
    return this.ownerShareOf(ownerId, MAX_JOBS, this.jobs);
  }

  /** How many more first attempts of a turn may be in memory: 0 while it drains. */
  firstAttemptRoomOf(turn: string): number {
    if (performance.now() < (this.drainingUntil.get(turn) ?? 0)) return 0;
    const projectId = projectOfTurn(turn);
    const ofProject = this.roomOf(projectId);
    const turnId = turnIdOf(turn);
    return turnId === projectId
      ? ofProject
      : Math.min(ofProject, roomFor(MAX_JOBS, this.jobs.usageOf(turnId), CUSTOMER_WEIGHT));
  }

  /**
   * Pauses the first attempts of a turn whose deliveries had to be stored. New ones would have to wait for the stored ones, so
   * they would be stored too, which costs three writes instead of one, and the worker would never catch up.
   */
  drain(turn: string): void {
    this.drainingUntil.set(turn, performance.now() + DRAIN_MS);
  }

  /**
   * Whether a new delivery may be sent before it is stored. Not while older deliveries of its target wait in the database, and
   * not if it would wait for a slow slot.
   */
  maySendUnstored(target: Pick<Target, 'id' | 'projectId' | 'customerId'>): boolean {
    if (this.isClosed || !this.hasRoomForTaken(target)) return false;
    const queue = this.queues.find(target.id);
    if (queue !== undefined && (queue.hasBacklog || queue.room === 0 || queue.isSlow)) return false;
    if (queue?.pace === 'quick') return true;
    const project = this.queues.projectOf(target.projectId);
    return project.roomForUnproven > 0 && !this.lanes.isOutOfSlowSlots(project);
  }

  /** Takes on nothing more. */
  close(): void {
    this.isClosed = true;
  }

  forgetDrained(): void {
    const now = performance.now();
    for (const [turn, until] of this.drainingUntil) if (until <= now) this.drainingUntil.delete(turn);
  }

  /**
   * The rows were taken from the outbox while the project had room, so they may exceed its share after other projects have taken
   * some: to store them would cost three writes each and make the project drain.
   */
  private hasRoomForTaken({ projectId, customerId }: Pick<Target, 'projectId' | 'customerId'>): boolean {
    const { jobs } = this;
    const isWithin = (most: number, usage: Usage, weight: number) =>
      isWithinShare(most, usage, weight) || mayHaveFirst(WITH_FIRST_JOBS * most, usage);
    const hasRoom = (tenantId: string, weight: number) =>
      isWithin(MAX_JOBS, jobs.usageOf(tenantId), weight * SOON_FREE) &&
      isWithin(MAX_BYTES, jobs.messages.usageOf(tenantId), weight * 2);
    return (
      hasRoom(projectId, 1) &&
      hasRoom(this.ownerOf(projectId), OWNER_WEIGHT) &&
      (customerId === null || hasRoom(customerId, CUSTOMER_WEIGHT))
    );
  }

  private shareOf(projectId: string, most: number, used: { usageOf(tenantId: string): Usage }): number {
    const ofOwner = this.ownerShareOf(this.ownerOf(projectId), most, used);
    return Math.min(roomFor(most, used.usageOf(projectId)), ofOwner);
  }

  private ownerShareOf(ownerId: string, most: number, used: { usageOf(tenantId: string): Usage }): number {
    return roomFor(most, used.usageOf(ownerId), OWNER_WEIGHT);
  }

  private ownerOf(projectId: string): string {
    return this.queues.projectOf(projectId).owner.ownerId;
  }
}

/** A claim or a take may return one message that is larger than the room. */
function roomFor(most: number, usage: Usage, weight?: number): number {
  return Math.max(remainingShare(most, usage, weight), mayHaveFirst(WITH_FIRST_JOBS * most, usage) ? 1 : 0);
}
