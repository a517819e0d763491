import type { Writable } from 'node:stream';
import { SECOND_MS } from '@/lib/platform/clock';
import { RoundRobin } from '@/lib/platform/round-robin';
import { FAMILIAR, partyOf, type SlotTenant, STRANGERS } from '@/lib/platform/tenant-semaphore';
import { TokenBuckets } from '@/lib/platform/token-buckets';
import type { GuardedMessage } from './guarded-message';

/** What starts before the event loop looks at its sockets again, by cost. A request of an owner to the API takes about 0.1 ms. */
const MAX_COST = 8;
/** What starts while one owner alone has sent requests for a second: each pass costs a system call. */
const MAX_COST_ALONE = 64;
/** Documents and pages take up to 1 ms, and so does what strangers send, which is seldom worth its time. */
const COST_OF_PAGE = 4;
const COST_OF_STRANGER = 4;
/** How long nobody else has sent a request when an owner counts as alone. */
const ALONE_AFTER_MS = SECOND_MS;
/**
 * Requests of all strangers that start while owners are active. Each takes 0.2 ms before a budget counts it, and a client that disconnects
 * and sends the next one on a new connection waits for no refusal. Those whose clients have disconnected meanwhile never start.
 */
const STRANGERS_PACE = { perSecond: 400, burst: 400, mostOwed: 0 };
const STRANGE = new Set([STRANGERS, FAMILIAR]);
/** When the queue looks again for requests that may not start yet. */
const LOOK_AGAIN_MS = 2;

interface Entry {
  connection: EnteredConnection;
  start(): void;
  cost: number;
  isStranger: boolean;
  party: string;
}

/** What ends with the connection of a request: its response, or the socket of one that offers another protocol. */
type EnteredConnection = Readonly<Pick<Writable, 'destroyed'>>;

/**
 * The requests that have arrived and not started. The event loop reads all sockets that are ready before it does anything else, so a
 * hundred connections with cheap requests would delay everybody's next step by a hundred requests. Here eight requests of owners start at
 * once, or two of strangers or for pages, and the others wait in turns: by owner, and by network for strangers, who are one tenant beside
 * owners, and those from where people sign in another one. Each connection has one at most, so connections bound them. Whoever is alone waits for nobody, only for the sockets of others
 * (docs/decisions/066-tenants-take-turns-in-next.md).
 */
export class EntryQueue {
  /** The requests of owners, and those of all strangers by network, in the order of turns. */
  private readonly lanes = new Map<string, RoundRobin<Entry>>();
  private cost = 0;
  private maxCost = MAX_COST;
  private isPassDue = false;
  private lastName = STRANGERS;
  private changedAtMs = performance.now();
  /** When an owner last sent a request, by performance.now(). */
  private ownerAtMs = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private readonly pace = new TokenBuckets(STRANGERS_PACE);

  constructor(private readonly tenantOf: (message: GuardedMessage) => SlotTenant) {}

  /** Starts a request, at once or when it is its turn. */
  enter(message: GuardedMessage, connection: EnteredConnection, start: () => void): void {
    if (!this.isPassDue) this.cost = 0;
    this.scheduleNextPass();
    const slotTenant = this.tenantOf(message);
    const { tenant, isStranger } = slotTenant;
    const name = partyOf(slotTenant);
    if (name !== this.lastName) this.noteChange(name);
    if (!isStranger) this.ownerAtMs = performance.now();
    const entry = { connection, start, cost: costOf(message, isStranger), isStranger, party: name };
    if (this.lanes.size === 0 && this.cost < this.maxCost && !this.mustWait(name)) {
      this.startNow(entry);
      return;
    }
    const lane = this.lanes.get(name) ?? new RoundRobin();
    lane.push(tenant, entry);
    this.lanes.set(name, lane);
  }

  private noteChange(name: string): void {
    this.lastName = name;
    this.changedAtMs = performance.now();
    this.maxCost = MAX_COST;
  }

  private scheduleNextPass(): void {
    if (this.isPassDue) return;
    this.isPassDue = true;
    setImmediate(() => this.pass());
  }

  private pass(): void {
    this.isPassDue = false;
    this.cost = 0;
    if (!STRANGE.has(this.lastName) && performance.now() - this.changedAtMs > ALONE_AFTER_MS)
      this.maxCost = MAX_COST_ALONE;
    while (this.cost < this.maxCost) {
      const entry = this.takeNext();
      if (entry === undefined) {
        this.lookAgain();
        return;
      }
      // Connections that come and go would otherwise fill the queue faster than starts empty it.
      if (entry.connection.destroyed) continue;
      this.startNow(entry);
    }
    this.scheduleNextPass();
  }

  private lookAgain(): void {
    if (this.lanes.size === 0 || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.scheduleNextPass();
    }, LOOK_AGAIN_MS);
  }

  /** Whether strangers have started as many requests as they may beside owners. */
  private mustWait(name: string): boolean {
    if (!STRANGE.has(name) || performance.now() - this.ownerAtMs > ALONE_AFTER_MS) return false;
    return this.pace.left(name) < 1;
  }

  private startNow({ start, cost, isStranger, party }: Entry): void {
    this.cost += cost;
    if (isStranger) this.pace.take(party, 1);
    start();
  }

  private takeNext(): Entry | undefined {
    for (const [name, lane] of this.lanes) {
      if (this.mustWait(name)) continue;
      const entry = lane.shift();
      this.lanes.delete(name);
      if (lane.length > 0) this.lanes.set(name, lane);
      return entry;
    }
    return undefined;
  }
}

function costOf({ url = '' }: GuardedMessage, isStranger: boolean): number {
  if (isStranger) return COST_OF_STRANGER;
  return url.startsWith('/api/') ? 1 : COST_OF_PAGE;
}
