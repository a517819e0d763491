import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { shareConnections } from '@/lib/platform/connection-shares';
import { AppError, isAppError } from '@/lib/platform/errors';
import { type Release, SemaphoreFullError, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { strangerFrom } from '@/lib/platform/familiar-networks';
import { once } from '@/lib/platform/globals';
import { knownOwnerOf } from '@/lib/platform/known-owners';
import { clientSite } from '@/lib/platform/net/client-network';
import { provenOwnerOf } from '@/lib/platform/net/owner-header';
import { isAlone, Pace, type PaceLimits } from '@/lib/platform/pace';
import { type SlotTenant, TenantSemaphore } from '@/lib/platform/tenant-semaphore';
import { BYTES_OF_THREAD_MS, threadTime } from '@/lib/platform/thread-time';
import { joined } from './read-request';
import type { ApiRequest } from './request';
import { refuseLate, strangerBudget } from './stranger-budget';

/**
 * Requests that Next works on at once. They share one thread, so a few keep it busy, and each further one delays all others. The waiting
 * ones of a tenant hold its sockets only.
 */
const LIMITS: SemaphoreLimits = { width: 12, widthPerTenant: 3, waiting: 2_000, waitingPerTenant: 100 };
/** How long the turns of an owner may take while the process works for others too. */
const PACE: PaceLimits = { perSecond: 600, burst: 1_000 };
/** What a turn counts at most, for each call of the API that its request costs: a busy machine lengthens everybody's turns. */
const MOST_OF_COST_MS = 5;
const MOST_OF_TURN_MS = 10;
/** A turn may count a millisecond more for each 100 KB of content: reading and writing JSON takes as long. */
export const BYTES_OF_MS = 100_000;
/** How often a stranger's turn counts: strangers together take a third of the thread at most, and those who belong here the rest. */
const WEIGHT_OF_STRANGER = 2;
/** Downloads and streams have paces of their own. */
const MOST_BYTES_OF_THREAD = 1_000_000;
/** A request that takes longer waits for something else than the thread, such as a receiver, and lets the next one in. */
const LONGEST_TURN_MS = 100;
/** A request whose body has not arrived by then waits for its client. */
const LONGEST_WAIT_FOR_BODY_MS = 30;
/** Nobody waits for longer: beside a flood from many networks, a browser would wait for minutes. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Shares the thread of a web process among tenants: whatever one tenant, or a stranger's network, asks for at once, the others' requests
 * wait for a few of its requests only (docs/decisions/066-tenants-take-turns-in-next.md).
 */
export class Turns {
  private readonly semaphore: TenantSemaphore;

  constructor(
    limits = LIMITS,
    pace = new Pace(PACE, isAlone),
    private readonly thread = threadTime(),
  ) {
    const { widthPerTenant: width } = limits;
    const group = { width, widthPerTenant: Math.max(1, width - 1) };
    this.semaphore = new TenantSemaphore(limits, group, pace, () => thread.restMs());
  }

  /**
   * Waits for a turn. It ends once the response is closed and `finish` was called, after a tenth of a second at most.
   * @param answer the response, or the socket of an upgrade, which stays open: that turn ends with `finish`
   * @param cost how many calls of the API take as long
   * @returns `finish`, to be called when the work on the response has ended: it goes on after its client has disconnected. Null when the
   *   client has disconnected meanwhile
   * @throws AppError rate_limited when too many requests of the tenant wait; overloaded when too many wait in all, or after ten seconds
   */
  async take(
    tenant: SlotTenant,
    message: IncomingMessage,
    answer: ServerResponse | Duplex,
    cost = 1,
  ): Promise<(() => void) | null> {
    const weight = tenant.isStranger ? WEIGHT_OF_STRANGER : 1;
    const most = Math.max(MOST_OF_TURN_MS, cost * MOST_OF_COST_MS);
    const begin = (release: Release) => {
      const end = this.thread.begin(tenant.isStranger ? null : tenant.tenant);
      const count = (bytes: number) =>
        end(cost * MOST_OF_COST_MS + Math.min(bytes, MOST_BYTES_OF_THREAD) / BYTES_OF_THREAD_MS);
      const endTurn = (ms: number, bytes: number) => {
        count(bytes);
        release(weight * Math.min(ms, most + bytes / BYTES_OF_MS));
      };
      return endWith(message, answer, endTurn, count);
    };
    const slotTenant = this.withWeight(tenant);
    const immediate = this.semaphore.tryAcquire(slotTenant);
    if (immediate !== null) return begin(immediate);
    const left = new AbortController();
    const leave = () => left.abort();
    answer.once('close', leave);
    const timer = setTimeout(() => left.abort(refusal(true)), LONGEST_WAIT_MS);
    try {
      const finish = begin(await this.wait(slotTenant, left.signal));
      if (!answer.destroyed) return finish;
      finish();
      return null;
    } catch (error) {
      if (isAppError(error)) throw error;
      if (left.signal.aborted) return null;
      throw error instanceof SemaphoreFullError ? refusal(this.semaphore.isFull(slotTenant)) : error;
    } finally {
      clearTimeout(timer);
      answer.off('close', leave);
    }
  }

  /** Waits for a slot. What an owner had waiting when it became heavy waits once more, among those of heavy owners. */
  private async wait(slotTenant: SlotTenant, signal: AbortSignal): Promise<Release> {
    const release = await this.semaphore.acquire(slotTenant, signal);
    const weighed = this.withWeight(slotTenant);
    if (slotTenant.isHeavy || !weighed.isHeavy) return release;
    release(0);
    return this.semaphore.acquire(weighed, signal);
  }

  private withWeight(tenant: SlotTenant): SlotTenant {
    return { ...tenant, isHeavy: !tenant.isStranger && this.thread.isHeavy(tenant.tenant) };
  }
}

const contentBytes = new WeakMap<object, number>();

/** Notes how large the content of a response was when it was made: fewer bytes are sent of one that is compressed, of HEAD and of 304. */
export function noteContentBytes(response: ServerResponse, bytes: number): void {
  if (bytes >= BYTES_OF_MS) contentBytes.set(response, bytes);
}

/**
 * @param endTurn gets the time that the turn took, and the bytes that it made or sent
 * @param finish gets the bytes of a response that was finished after the turn
 * @returns what says that the work on the response has ended
 */
function endWith(
  message: IncomingMessage,
  answer: ServerResponse | Duplex,
  endTurn: (ms: number, bytes: number) => void,
  finish: (bytes: number) => void,
): () => void {
  const since = performance.now();
  const { socket } = message;
  const sentBefore = socket.bytesWritten;
  const bytes = () => Math.max(socket.bytesWritten - sentBefore, contentBytes.get(answer) ?? 0);
  let isHeld = true;
  const end = () => {
    if (!isHeld) return;
    isHeld = false;
    clearTimeout(waiting);
    clearTimeout(timer);
    endTurn(performance.now() - since, bytes());
  };
  const waiting = setTimeout(() => message.complete || end(), LONGEST_WAIT_FOR_BODY_MS);
  const timer = setTimeout(end, LONGEST_TURN_MS);
  const isWaitedFor = answer !== socket && !answer.destroyed;
  let open = isWaitedFor ? 2 : 1;
  const endOne = () => {
    open--;
    if (open > 0) return;
    if (isHeld) end();
    else finish(bytes());
  };
  if (isWaitedFor) answer.once('close', endOne);
  return endOne;
}

function refusal(isFull: boolean): AppError {
  const retryAfterSeconds = 1;
  return isFull
    ? new AppError('overloaded', 'Too many requests are waiting. Try again in a second.', { retryAfterSeconds })
    : new AppError('rate_limited', 'Too many of your requests are waiting. Send fewer at once.', { retryAfterSeconds });
}

/** The start of the URLs of sources. What follows is the credential of whoever sends to one. */
const INGRESS_PREFIX = '/api/v1/ingress/';

/**
 * Returns the owner of a request's credential if it was valid in the last minute, else the network of the client.
 * The URL of a source is a credential, too. A delivery of this service to a tunnel counts for the owner of the delivery.
 */
export function tenantOf(message: IncomingMessage, clientAddress: string): string {
  const { headers, url = '' } = message;
  const proven = provenOwnerOf(message);
  if (proven !== null) return proven.ownerId;
  const token = url.startsWith(INGRESS_PREFIX) ? url.slice(INGRESS_PREFIX.length).split('?', 1)[0] : undefined;
  return knownOwnerOf(token ?? joined(headers['x-api-key']), headers.authorization) ?? clientSite(clientAddress);
}

/**
 * Runs a request in the share of the database connections that it counts for: that of its owner, if its credential was valid in the last
 * minute. Else that of its client, until its caller is known: however many clients have no credential, those who have one do not wait.
 */
export function inShareOf<T>({ method, client, header }: ApiRequest, work: () => Promise<T>): Promise<T> {
  const { ipAddress, disconnectSignal } = client;
  const network = ipAddress === null ? 'unknown' : clientSite(ipAddress);
  const isReading = method === 'GET' || method === 'HEAD';
  const ownerId = knownOwnerOf(header('x-api-key'), header('authorization'));
  return shareConnections({ network, isReading, disconnectSignal, ownerId }, work);
}

/** Returns the tenant of a request. */
export function slotTenantOf(message: IncomingMessage, clientAddress: string): SlotTenant {
  const tenant = tenantOf(message, clientAddress);
  return tenant === clientSite(clientAddress) ? strangerFrom(tenant) : { tenant, isStranger: false };
}

/**
 * Waits for the turn of whoever sent a request, as `Turns.take`. A stranger's request spends the budget of its network.
 * @throws AppError rate_limited when that is empty, and as `Turns.take`
 */
export async function takeTurn(
  message: IncomingMessage,
  answer: ServerResponse | Duplex,
  { clientAddress, cost }: { clientAddress: string; cost: number },
): Promise<(() => void) | null> {
  const slotTenant = slotTenantOf(message, clientAddress);
  if (slotTenant.isStranger) {
    await refuseLate(() => strangerBudget().spend(slotTenant.tenant, cost + costOfBody(message)));
  }
  return once('turns', () => new Turns()).take(slotTenant, message, answer, cost);
}

/** A stranger's body of this size costs as much as a call of the API: parsing takes up to 0.1 ms for each KiB. */
const BYTES_OF_COST = 8 * 1024;
/** That of a body in chunks, which may have any size, and of a larger one: no route reads more than 64 KiB of a stranger's. */
const MAX_COST_OF_BODY = 8;

function costOfBody({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_COST_OF_BODY;
  return Math.min(MAX_COST_OF_BODY, Math.floor(Number(headers['content-length'] ?? 0) / BYTES_OF_COST));
}
