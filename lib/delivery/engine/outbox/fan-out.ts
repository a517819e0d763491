import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import type { LowWatermarks } from '@/lib/delivery/engine/claims/low-watermarks';
import type { Dispatcher } from '@/lib/delivery/engine/dispatch/dispatcher';
import { isWithinShare, remainingShare } from '@/lib/delivery/engine/dispatch/slot-policy';
import { sourceIdOf } from '@/lib/delivery/engine/messages';
import { removeEntries } from '@/lib/delivery/engine/record/store-deliveries';
import { loadTargets, preparedTargets } from '@/lib/delivery/engine/targets';
import type { LeasedDelivery, OutboxEntry, Target } from '@/lib/delivery/engine/types';
import type { Filter, FilteredEvent } from '@/lib/delivery/filters/filter';
import { isDatabaseUnreachable, isStatementCanceled } from '@/lib/platform/database-errors';
import { hotDatabase } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { countMetric } from '@/lib/platform/metrics-counters';
import { type SpanStart, tracer } from '@/lib/platform/tracing/tracer';
import { Yielder } from '@/lib/platform/yielder';
import {
  type DeliveryTurns,
  type FilterRuns,
  FilterTurns,
  filteredEventOf,
  mayTryAtOnce,
  QuickFilters,
} from './filter-turns';
import { markExhaustedDead, rescheduleEntry, rescheduleOldest } from './outbox-failures';
import { MAX_NAMED_TARGETS, selectMoreTargets } from './outbox-sql';
import { OutboxTurns, type OwnerLoad, type Room } from './outbox-turns';
import type { StoreQueue } from './store-queue';
import {
  firstDelivery,
  MAX_MESSAGE_BYTES,
  TAKE_LIMITS,
  type Taken,
  type TakenEntry,
  type Turn,
  takeEntries,
  takeQuarantined,
} from './take-entries';

/** Rows of one take from the quarantine, by the takes of the worst row; later each row is taken alone. */
const QUARANTINE_ROWS: Readonly<Record<number, number>> = { 2: 16, 3: 4 };

interface FanOutOptions {
  /** Called when more rows can be taken. */
  onFree(): void;
  /** Called when this worker has finished its rows of the quarantine. */
  onQuarantineFree(): void;
  /** Nothing is due before that of the outbox. */
  watermarks: Pick<LowWatermarks, 'outbox'>;
}

/** While so many batches are fanned out in the background, no events are taken that are expected to have more than `FEW_TARGETS`. */
const MANY_BACKGROUND_BATCHES = 8;
/** Batches in the background at most: some events have more targets than expected. */
const MAX_BACKGROUND_BATCHES = 16;
/** With as many batches in the background, an owner gets no other turn. */
const BACKGROUND_BATCHES_OF_OWNER = 2;
/**
 * Bytes of messages in the background that owners share. An owner keeps its own while its filters rest, so some always stay free: takes get
 * smaller, and nobody waits until another owner has rested.
 */
const MAX_BACKGROUND_BYTES = 32 * 1024 * 1024;
/** Who has fewer takes more, one large message at most when all are in use, until there are as many as `MAX_WITH_FIRST_BYTES`. */
const FEW_BYTES = 64 * 1024;
const MAX_WITH_FIRST_BYTES = 4 * MAX_BACKGROUND_BYTES;
/** An event with more targets than this is fanned out in the background, so that other projects do not wait for it. */
const FEW_TARGETS = 100;
/** Deliveries that rows with few targets make in one turn of the event loop at most. */
const DELIVERIES_PER_TURN = 100;

/** Turns due outbox rows into deliveries. Those that can be sent now go to the dispatcher, the others to the store queue. */
export class FanOut {
  private readonly turns: OutboxTurns;
  /** Until when each row keeps others in the quarantine: the end of its first lease, which filters that take turns renew. */
  private readonly quarantined = new Map<OutboxEntry, number>();
  /** The project of the last row from the quarantine. */
  private lastQuarantined: string | null = null;
  private backgroundBatches = 0;
  private backgroundBytes = 0;
  private readonly backgroundByOwner = new Map<string, { batches: number; bytes: number }>();

  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly storeQueue: StoreQueue,
    private readonly options: FanOutOptions,
  ) {
    this.turns = new OutboxTurns((projectId) => dispatcher.ownerOf(projectId));
  }

  /** Queues the turns that a notification named, by turn key. */
  enqueueNotified(keys: readonly string[]): void {
    for (const key of keys) this.turns.add(key);
  }

  /** Queues the turns that a poll found, by turn key. */
  enqueueDue(keys: readonly string[]): void {
    this.turns.evict();
    for (const key of keys) this.turns.add(key, true);
  }

  /** In how many milliseconds to repeat a take that returned nothing; null if no turn waits for that. */
  nextTakeInMs(): number | null {
    const waits = [this.turns.nextTakeInMs(), this.storeQueue.nextRoomInMs()];
    const known = waits.filter((ms) => ms !== null);
    return known.length === 0 ? null : Math.min(...known);
  }

  /**
   * Takes one batch and fans it out.
   * @param loads of the owners whose rows it takes: those of the first one that has rows
   * @returns whether there was one
   */
  async takeBatch(loads: readonly OwnerLoad[]): Promise<boolean> {
    const turns = this.nextTurns(loads);
    if (turns.length === 0) return false;
    this.turns.begin(turns);
    const taken = await this.take(turns).catch((error: unknown) => {
      this.turns.cancel(turns);
      if (!isRowError(error)) throw error;
      log().warn({ err: error, turns: turns.length }, 'batch could not be taken; taking row by row');
      return null;
    });
    if (taken !== null) await this.fanOutTaken(turns, taken);
    else for (const turn of turns) await this.takeAlone(turn);
    return true;
  }

  /**
   * Takes rows that earlier workers never finished, unless this worker took such rows just before: one of them may crash the worker.
   *
   * @param takes how often the worst of them has been taken
   */
  async takeFromQuarantine(takes: number): Promise<void> {
    const now = performance.now();
    for (const [entry, until] of this.quarantined) if (until <= now) this.quarantined.delete(entry);
    if (this.quarantined.size > 0 || this.backgroundBytes >= MAX_WITH_FIRST_BYTES) return;
    await markExhaustedDead(hotDatabase());
    const taken = await takeQuarantined(hotDatabase(), QUARANTINE_ROWS[takes] ?? 1, this.lastQuarantined);
    for (const { entry, projectId } of taken.entries) {
      this.lastQuarantined = projectId;
      this.quarantined.set(entry, entry.leaseEndsAt);
      entry.onClosed = () => {
        this.quarantined.delete(entry);
        if (this.quarantined.size === 0) this.options.onQuarantineFree();
      };
    }
    const later = await this.fanOutKnown(taken);
    await this.fanOutByOwner(later, () => undefined);
  }

  private nextTurns(loads: readonly OwnerLoad[]): Turn[] {
    const { admission } = this.dispatcher;
    const room: Room = {
      ofOwner: (ownerId) => {
        if (this.backgroundBatches >= MAX_BACKGROUND_BATCHES) return 0;
        const { batches, bytes } = this.inBackground(ownerId);
        const total = this.backgroundBytes;
        const mayKeepMore =
          isWithinShare(MAX_BACKGROUND_BYTES, { total, own: bytes }, 1) ||
          (bytes < FEW_BYTES && total < MAX_WITH_FIRST_BYTES);
        if (batches >= BACKGROUND_BATCHES_OF_OWNER || !mayKeepMore || !this.storeQueue.hasRoomFor(ownerId)) return 0;
        return admission.roomOfOwner(ownerId);
      },
      ofTurn: (key) => (this.storeQueue.isBusy(key) ? 0 : admission.firstAttemptRoomOf(key)),
    };
    const mostPerRow = this.backgroundBatches < MANY_BACKGROUND_BATCHES ? undefined : FEW_TARGETS;
    for (const load of loads) {
      const turns = this.turns.next(load, room, mostPerRow);
      if (turns.length > 0) return turns;
    }
    return [];
  }

  private inBackground(ownerId: string): { batches: number; bytes: number } {
    return this.backgroundByOwner.get(ownerId) ?? { batches: 0, bytes: 0 };
  }

  private countInBackground(ownerId: string, sign: 1 | -1, bytes: number): void {
    const counted = this.inBackground(ownerId);
    const own = { batches: counted.batches + sign, bytes: counted.bytes + sign * bytes };
    this.backgroundBytes += sign * bytes;
    if (own.batches > 0) this.backgroundByOwner.set(ownerId, own);
    else this.backgroundByOwner.delete(ownerId);
  }

  private async fanOutTaken(turns: readonly Turn[], taken: Taken): Promise<void> {
    const finish = ({ key, most }: Turn) => {
      const rows = taken.rows.get(key) ?? { count: 0, deliveries: 0 };
      this.turns.finish(key, rows, rows.count >= most || taken.isTruncated);
    };
    const later = await this.fanOutKnown(taken).catch((error: unknown) => {
      // The rows are due again when their leases end.
      this.turns.cancel(turns);
      throw error;
    });
    const finishAllOf = (isOf: (key: string) => boolean) => {
      for (const turn of turns) if (isOf(turn.key)) finish(turn);
    };
    const busy = turnsOf(later);
    finishAllOf((key) => !busy.has(key));
    if (later.length === 0) return;
    // Only the turns of these rows wait for them, so each has at most one batch in the background.
    this.backgroundBatches += 1;
    void this.fanOutByOwner(later, (entries) => {
      // Not by the owner, who may have become known meanwhile.
      const own = turnsOf(entries);
      finishAllOf((key) => own.has(key));
    }).finally(() => {
      this.backgroundBatches -= 1;
      this.options.onFree();
    });
  }

  /** Fans out rows in the background, so that no owner waits for another one's filters. Never rejects. @param onEnd called with the rows of each owner */
  private async fanOutByOwner(
    entries: readonly TakenEntry[],
    onEnd: (entries: readonly TakenEntry[]) => void,
  ): Promise<void> {
    const byOwner = new Map<string, TakenEntry[]>();
    for (const entry of entries) {
      const ownerId = this.dispatcher.ownerOf(entry.projectId);
      const own = byOwner.get(ownerId);
      if (own === undefined) byOwner.set(ownerId, [entry]);
      else own.push(entry);
    }
    await Promise.all([...byOwner].map(([ownerId, own]) => this.fanOutOfOwner(ownerId, own, () => onEnd(own))));
  }

  /**
   * Fans out rows of an owner in the background. Never rejects.
   * @returns resolves when they are fanned out, or when they begin to take turns, which may take seconds
   */
  private fanOutOfOwner(ownerId: string, entries: readonly TakenEntry[], onEnd: () => void): Promise<void> {
    const bytes = entries.reduce((sum, { message }) => sum + (message?.bytes ?? 0), 0);
    this.countInBackground(ownerId, 1, bytes);
    return new Promise((resolve) => {
      const turns = new FilterTurns(
        ownerId,
        entries.map(({ entry }) => entry),
        resolve,
      );
      this.targetsOf(entries, turns)
        .then((found) => this.fanOutAll(entries, found, turns))
        .catch((error: unknown) => {
          log().warn({ err: error }, 'events could not be fanned out; they are due again when their leases end');
          for (const { entry } of entries) if (entry.unstored === 0) entry.onClosed?.();
        })
        .finally(() => {
          turns.end();
          this.countInBackground(ownerId, -1, bytes);
          onEnd();
          this.options.onFree();
          resolve();
        });
    });
  }

  /** Any row may have to be fanned out in the background, so a take is limited by what is free there. */
  private take(turns: readonly Turn[]): Promise<Taken> {
    const room = remainingShare(MAX_BACKGROUND_BYTES, { total: this.backgroundBytes, own: 0 });
    const limits =
      room >= TAKE_LIMITS.bytes ? TAKE_LIMITS : { ...TAKE_LIMITS, bytes: Math.max(room, MAX_MESSAGE_BYTES) };
    return takeEntries(hotDatabase(), turns, limits, this.options.watermarks.outbox);
  }

  /** Takes the oldest row of a turn alone. If that fails, it is the faulty row and is rescheduled. */
  private async takeAlone(turn: Turn): Promise<void> {
    const only = [{ ...turn, most: 1 }];
    const taken = await this.take(only).catch(async (error: unknown) => {
      if (!isRowError(error)) throw error;
      await rescheduleOldest(hotDatabase(), turn.key, error);
      return null;
    });
    if (taken !== null) await this.fanOutTaken(only, taken);
  }

  /** Fans out the rows whose targets are few and known, and whose filters need no turns. @returns the other rows */
  private async fanOutKnown({ entries }: Taken): Promise<TakenEntry[]> {
    countMetric('outbox_fanned_out_total', '', entries.length);
    const quick: TakenEntry[] = [];
    const slow: TakenEntry[] = [];
    for (const entry of entries) (isQuick(entry) ? quick : slow).push(entry);
    slow.push(...(await this.fanOutAll(quick, knownTargets(quick))));
    return slow;
  }

  /** Finds the targets of an owner's rows, and reads those that are not prepared. */
  private async targetsOf(entries: readonly TakenEntry[], turns: FilterTurns): Promise<ReadonlyMap<string, Target>> {
    const found = new Map<string, Target>();
    const unknown = new Set<string>();
    for (const { targets } of entries) {
      for (const { id, version } of targets) {
        const target = preparedTargets().find(id, version);
        if (target === undefined) unknown.add(id);
        else found.set(id, target);
      }
    }
    const [first] = entries;
    if (first !== undefined) await addTargets(found, [...unknown], turns, first.entry);
    return found;
  }

  /**
   * Fans out rows. Reschedules one that fails, and goes on with the others.
   * @param turns of their owner in the background; without them, filters are tried at once while their owner need not rest
   * @returns the rows whose filters must take turns
   */
  private async fanOutAll(
    entries: readonly TakenEntry[],
    targets: ReadonlyMap<string, Target>,
    turns?: FilterTurns,
  ): Promise<TakenEntry[]> {
    const finished: OutboxEntry[] = [];
    const waiting: TakenEntry[] = [];
    const yielder = turns ?? new Yielder(DELIVERIES_PER_TURN);
    for (const taken of entries) {
      const { entry } = taken;
      const filters = turns ?? new QuickFilters(this.dispatcher.ownerOf(taken.projectId));
      if (filters.mustRest && hasFilter(taken, targets)) {
        waiting.push(taken);
        continue;
      }
      const span = tracer()?.start(fanOutSpan(taken));
      try {
        this.storeQueue.add(taken.turn, await fanOutEntry(this.dispatcher, taken, targets, yielder, filters));
      } catch (error) {
        // Before the statement, which the filters of others must not wait for.
        filters.end();
        entry.onClosed?.();
        if (!isRowError(error)) throw error;
        log().warn({ err: error, outboxId: entry.id }, 'event could not be fanned out');
        await rescheduleEntry(hotDatabase(), entry, error);
      } finally {
        filters.end();
        span?.end();
      }
      if (entry.unstored === 0) finished.push(entry);
    }
    this.dispatcher.pump();
    await removeEntries(hotDatabase(), finished);
    for (const entry of finished) entry.onClosed?.();
    return waiting;
  }
}

function fanOutSpan({ message, projectId, deliveries, entry, source }: TakenEntry): SpanStart {
  return {
    name: 'fan out',
    kind: 'consumer',
    parent: message?.traceparent ?? null,
    attributes: {
      'eds.project.id': projectId,
      'eds.deliveries': deliveries,
      'eds.outbox.takes': entry.takes,
      ...(source.eventId === null ? {} : { 'eds.event.id': source.eventId }),
      ...(source.incomingEventId === null ? {} : { 'eds.incoming_event.id': source.incomingEventId }),
    },
  };
}

const turnsOf = (entries: readonly TakenEntry[]) => new Set(entries.map(({ turn }) => turn));

/** Whether the data is bad, rather than the database unreachable or too slow. */
function isRowError(error: unknown): boolean {
  return !isDatabaseUnreachable(error) && !isStatementCanceled(error);
}

function isQuick({ message, targets }: TakenEntry): boolean {
  if (targets.length > FEW_TARGETS) return false;
  let filters = 0;
  for (const { id, version } of targets) {
    const target = preparedTargets().find(id, version);
    if (target === undefined) return false;
    if (target.filter !== null) filters += 1;
  }
  return message === null || mayTryAtOnce(message, filters);
}

const hasFilter = ({ targets }: TakenEntry, byId: ReadonlyMap<string, Target>) =>
  targets.some(({ id }) => (byId.get(id)?.filter ?? null) !== null);

function knownTargets(entries: readonly TakenEntry[]): Map<string, Target> {
  const found = entries.flatMap(({ targets }) =>
    targets.flatMap(({ id, version }) => preparedTargets().find(id, version) ?? []),
  );
  return new Map(found.map((target) => [target.id, target]));
}

/** Reads targets and adds them to a Map, without those that are disabled or deleted. @param turns of their owner */
async function addTargets(
  targets: Map<string, Target>,
  ids: readonly string[],
  turns: FilterRuns,
  entry: OutboxEntry,
): Promise<void> {
  const ofEntry = { run: <T>(work: () => T) => turns.run(work, entry), end: () => turns.end() };
  for (const [id, found] of await loadTargets(hotDatabase(), ids, undefined, ofEntry)) {
    if ('target' in found) targets.set(id, found.target);
  }
}

/**
 * Makes the deliveries of an outbox row, and hands those to the dispatcher that can be sent without being stored.
 *
 * @param targets by id; a target that was disabled or deleted meanwhile is missing and gets no delivery
 * @param filters tries its filters; ended before more targets are read
 * @returns the other deliveries. The caller stores them, or removes the row if none is unstored.
 */
export async function fanOutEntry(
  dispatcher: Dispatcher,
  taken: TakenEntry,
  targets: ReadonlyMap<string, Target>,
  yielder: DeliveryTurns,
  filters: FilterRuns,
): Promise<LeasedDelivery[]> {
  const { message } = taken;
  if (message === null) return [];
  let event: FilteredEvent | null = null;
  const isWanted = (filter: Filter): boolean | Promise<boolean> => {
    const test = () => {
      event ??= filteredEventOf(message);
      return event === null || filter.matches(event);
    };
    return filters.run(test, taken.entry);
  };
  const sourceId = sourceIdOf(taken.source);
  const unsent: LeasedDelivery[] = [];
  // One extra until the end: the first deliveries may be recorded before the last one is made, and that must not remove the row.
  taken.entry.unstored += 1;
  for (const { id } of taken.targets) {
    if (yielder.shouldYield()) {
      dispatcher.pump();
      await yielder.yield(taken.entry);
    }
    const target = targets.get(id);
    if (target === undefined || taken.stored.has(deliveryIdOf(sourceId, id))) continue;
    if (target.filter !== null && !(await isWanted(target.filter))) continue;
    const delivery = firstDelivery(taken, target);
    // A limit is kept by claims.
    const isSent =
      target.rateLimit === null &&
      dispatcher.admission.maySendUnstored(target) &&
      dispatcher.add(target, { ...delivery, message });
    if (!isSent) unsent.push(delivery);
  }
  filters.end();
  const kind = taken.source.eventId === null ? 'destination' : 'endpoint';
  for await (const { targets: more, filtered } of taken.deliveries > taken.targets.length
    ? moreTargets(taken, filters)
    : []) {
    for (const { id, customerId } of more) {
      if (yielder.shouldYield()) await yielder.yield(taken.entry);
      if (taken.stored.has(deliveryIdOf(sourceId, id))) continue;
      const filter = filtered.get(id)?.filter ?? null;
      if (filter === null || (await isWanted(filter))) unsent.push(firstDelivery(taken, { id, kind, customerId }));
    }
    filters.end();
  }
  taken.entry.unstored -= 1;
  return unsent;
}

/** Yields the targets beyond the first MAX_NAMED_TARGETS, which a take does not name: their ids, and those with a filter. */
async function* moreTargets(
  { source, targets, entry }: TakenEntry,
  turns: FilterRuns,
): AsyncGenerator<{
  targets: Pick<Target, 'id' | 'customerId'>[];
  filtered: ReadonlyMap<string, Target>;
}> {
  for (let after = targets.at(-1)?.id; after !== undefined; ) {
    const rows = await selectMoreTargets.all(hotDatabase(), {
      event: source.eventId,
      incomingEvent: source.incomingEventId,
      after,
    });
    const withFilter = rows.flatMap(({ id, is_filtered }) => (is_filtered ? [id] : []));
    const filtered = new Map<string, Target>();
    await addTargets(filtered, withFilter, turns, entry);
    // One that was disabled or deleted meanwhile gets none.
    const present = rows.filter(({ id, is_filtered }) => !is_filtered || filtered.has(id));
    yield { targets: present.map(({ id, customer_id: customerId }) => ({ id, customerId })), filtered };
    after = rows.length === MAX_NAMED_TARGETS ? rows.at(-1)?.id : undefined;
  }
}
