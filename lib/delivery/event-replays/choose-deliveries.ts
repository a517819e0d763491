import { type FilteredEvent, keptFilter, toFilteredEvent } from '@/lib/delivery/filters/filter';
import type { Sql } from '@/lib/platform/db';
import { type Found, type FoundDelivery, type Position, positionOf } from './find-deliveries';
import { type ReplayScope, selectFiltered, selectFilters } from './replayed-events-sql';

/** Data of events that is read together. */
const GROUP_BYTES = 1024 * 1024;

/** Runs the test of a filter when the thread may be used for it; null when no further one may run for now. */
export type RunTest = (test: () => boolean) => Promise<boolean | null>;

interface ChooseLimits {
  mostDeliveries: number;
  /** Data of events that filters read. That of one event is always read. */
  mostBytes: number;
  runTest: RunTest;
  /** Leaves the turn of the tests to others before a statement, if they keep it. */
  endTests?: () => void;
}

export interface Chosen {
  deliveries: FoundDelivery[];
  /** Where the limits ended it. */
  end: Position;
  isLast: boolean;
}

/** Chooses those of the found deliveries that are made: the ended ones, and the missing ones that filters allow. */
export async function chooseDeliveries(
  sql: Sql,
  scope: ReplayScope,
  start: Position,
  found: Found,
  { mostDeliveries, mostBytes, runTest, endTests = () => undefined }: ChooseLimits,
): Promise<Chosen> {
  const chosen: FoundDelivery[] = [];
  const filtered = found.deliveries.filter(({ isMissing, isFiltered }) => isMissing && isFiltered);
  const filters = await readFilters(sql, scope, filtered);
  const reader = new EventReader(sql, scope, found, filtered, mostBytes, endTests);
  for (const [index, delivery] of found.deliveries.entries()) {
    const stop = () => stopBefore(scope, start, found, index, chosen);
    if (chosen.length >= mostDeliveries) return stop();
    const filter = delivery.isMissing ? filters.get(delivery.endpointId) : undefined;
    if (filter !== undefined) {
      const event = await reader.read(delivery.eventId);
      if (event === 'too much') return stop();
      // Retention has removed it.
      if (event === undefined) continue;
      const isWanted = await runTest(() => keptFilter(filter).matches(event()));
      if (isWanted === null) return stop();
      if (!isWanted) continue;
    }
    chosen.push(delivery);
  }
  return { deliveries: chosen, end: found.end, isLast: found.isLast };
}

/** An event is complete with the one endpoint of a replay. */
function stopBefore(
  { endpoint }: ReplayScope,
  start: Position,
  { deliveries: found }: Found,
  index: number,
  deliveries: FoundDelivery[],
): Chosen {
  const last = found[index - 1];
  const end =
    last === undefined ? start : endpoint === null ? positionOf(last) : { eventId: last.eventId, endpointId: null };
  return { deliveries, end, isLast: false };
}

async function readFilters(
  sql: Sql,
  { projectId: project }: ReplayScope,
  filtered: readonly FoundDelivery[],
): Promise<ReadonlyMap<string, string>> {
  const endpoints = [...new Set(filtered.map(({ endpointId }) => endpointId))];
  if (endpoints.length === 0) return new Map();
  return new Map((await selectFilters.all(sql, { project, endpoints })).map(({ id, filter }) => [id, filter]));
}

/** Reads the events that filters need, in order, a few at a time. */
class EventReader {
  private readonly left: string[];
  private readonly sizes: ReadonlyMap<string, number>;
  private group = new Map<string, { type: string; payload: string }>();
  private last: { id: string; event: FilteredEvent } | null = null;
  private bytes = 0;

  constructor(
    private readonly sql: Sql,
    private readonly scope: ReplayScope,
    { events }: Found,
    filtered: readonly FoundDelivery[],
    private readonly mostBytes: number,
    private readonly endTests: () => void,
  ) {
    this.left = [...new Set(filtered.map(({ eventId }) => eventId))];
    this.sizes = new Map(events.map(({ id, bytes }) => [id, bytes]));
  }

  /** Returns what parses an event; undefined for one that is gone. It is parsed once for all filters, in the turn of the first. */
  async read(id: string): Promise<(() => FilteredEvent) | undefined | 'too much'> {
    const index = this.left.indexOf(id);
    if (index >= 0) {
      if (this.bytes >= this.mostBytes) return 'too much';
      this.left.splice(0, index);
      this.endTests();
      await this.readGroup();
    }
    const content = this.group.get(id);
    if (content === undefined) return undefined;
    return () => {
      if (this.last?.id !== id) this.last = { id, event: toFilteredEvent(content.type, content.payload) };
      return this.last.event;
    };
  }

  private async readGroup(): Promise<void> {
    const events: string[] = [];
    let bytes = 0;
    for (const id of this.left) {
      const size = this.sizes.get(id) ?? 0;
      if (events.length > 0 && bytes + size > GROUP_BYTES) break;
      events.push(id);
      bytes += size;
    }
    this.left.splice(0, events.length);
    this.bytes += bytes;
    const rows = await selectFiltered.all(this.sql, { project: this.scope.projectId, events });
    this.group = new Map(rows.map((row) => [row.id, row]));
  }
}
