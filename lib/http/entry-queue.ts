import type { ServerResponse } from 'node:http';
import { Fifo } from '@/lib/platform/group-commit/fifo';
import { type SlotTenant, STRANGERS } from '@/lib/platform/tenant-semaphore';
import type { GuardedMessage } from './guarded-message';

/** Requests that start before the event loop looks at its sockets again. A start takes 0.1 to 1 ms. */
const MAX_STARTS = 8;

interface Entry {
  message: GuardedMessage;
  response: ServerResponse;
}

/** The requests of an owner, or of all strangers by network. Maps are in the order of turns. */
type Lane = Map<string, Fifo<Entry>>;

/**
 * The requests that have arrived and not started. The event loop reads all sockets that are ready before it does anything else, so a
 * hundred connections with cheap requests would delay everybody's next step by a hundred requests. Here a few start at once, and those
 * beyond wait in turns: by owner, and by network for strangers, who are one tenant beside owners. Each connection has one at most, so
 * connections bound them. Whoever is alone waits for nobody, only for the sockets of others
 * (docs/decisions/066-tenants-take-turns-in-next.md).
 */
export class EntryQueue {
  private readonly lanes = new Map<string, Lane>();
  private started = 0;
  private isPassDue = false;

  constructor(
    private readonly tenantOf: (message: GuardedMessage) => SlotTenant,
    private readonly start: (message: GuardedMessage, response: ServerResponse) => void,
  ) {}

  /** Starts a request, at once or when it is its turn. */
  enter(message: GuardedMessage, response: ServerResponse): void {
    this.scheduleNextPass();
    if (this.lanes.size === 0 && this.started < MAX_STARTS) {
      this.started += 1;
      this.start(message, response);
      return;
    }
    const { tenant, isStranger } = this.tenantOf(message);
    const name = isStranger ? STRANGERS : tenant;
    const lane = this.lanes.get(name) ?? new Map();
    const queue = lane.get(tenant) ?? new Fifo();
    queue.push({ message, response });
    lane.set(tenant, queue);
    this.lanes.set(name, lane);
  }

  private scheduleNextPass(): void {
    if (this.isPassDue) return;
    this.isPassDue = true;
    setImmediate(() => this.pass());
  }

  private pass(): void {
    this.isPassDue = false;
    this.started = 0;
    while (this.started < MAX_STARTS) {
      const entry = this.takeNext();
      if (entry === undefined) return;
      // Connections that come and go would otherwise fill the queue faster than starts empty it.
      if (entry.response.destroyed) continue;
      this.started += 1;
      this.start(entry.message, entry.response);
    }
    this.scheduleNextPass();
  }

  private takeNext(): Entry | undefined {
    for (const [name, lane] of this.lanes) {
      for (const [tenant, queue] of lane) {
        const entry = queue.shift();
        lane.delete(tenant);
        if (queue.length > 0) lane.set(tenant, queue);
        this.lanes.delete(name);
        if (lane.size > 0) this.lanes.set(name, lane);
        return entry;
      }
    }
    return undefined;
  }
}
