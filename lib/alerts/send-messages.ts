import { LRUCache } from 'lru-cache';
import { openEndpointSecret } from '@/lib/delivery/credentials';
import { sendOnce } from '@/lib/delivery/engine/send-once';
import { currentSearchPath } from '@/lib/platform/cells/current-cell';
import { HOUR_MS, SECOND_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import { openAlertTarget } from './credentials';
import { detailsOf, titleOf } from './describe';
import {
  type LeasedMessage,
  leaseMessages,
  recordFailure,
  recordSent,
  releaseMessages,
  selectDueMessages,
} from './messages-sql';

/**
 * Messages in flight in a process at most. Slow ones have places of their own, so owners whose targets hang leave the others theirs. None
 * takes a place of a delivery.
 */
const PLACES = { quick: 20, slow: 20 };
/** Messages of one owner at most. It gets a second place only while fewer than half of all are taken. */
const OF_OWNER = 2;
const HALF = (PLACES.quick + PLACES.slow) / 2;
/** A message under way for longer is slow, and so is its owner for an hour: a quick answer in between proves nothing. */
const SLOW_MS = SECOND_MS;
const SLOW_OWNER_MS = HOUR_MS;
const MAX_SLOW_OWNERS = 1_000;
const TIMEOUT_MS = 10 * SECOND_MS;
/** Seconds before each further attempt; then a message is given up. */
const RETRY_SECONDS = [10, 60, 300, 900];

/** Sends messages to webhooks and Slack, in places of their own: a target that hangs delays no delivery and no mail. */
export class MessageSender {
  private readonly inFlight = new Set<{ ownerId: string; ending: AbortController; done: Promise<void> }>();
  /** Messages that are being leased. They take places, since another cell may lease others meanwhile. */
  private readonly leasing = new Set<{ owner_id: string | null }>();
  private readonly slowOwners = new LRUCache<string, true>({ max: MAX_SLOW_OWNERS, ttl: SLOW_OWNER_MS });
  /** The owner who had the last turn, by cell. */
  private readonly lastOwners = new Map<string, string>();
  private isStopping = false;

  /** @param onRoom is called when a message has left its place */
  constructor(
    private readonly pools: HttpPools,
    private readonly onRoom: () => void,
  ) {}

  /** Starts to send due messages, as many as there is room for. @returns whether more may be due */
  async sendDue(): Promise<boolean> {
    const { quick, slow } = this.room();
    if (quick + slow === 0 || this.isStopping) return false;
    const cell = currentSearchPath();
    const lastOwner = this.lastOwners.get(cell) ?? LOWEST_ID;
    let rows = await this.sendAfter(lastOwner, quick + slow);
    // From the first owner again after all of them.
    if (rows.length === 0 && lastOwner !== LOWEST_ID) rows = await this.sendAfter(LOWEST_ID, quick + slow);
    const last = rows.reduce((highest, { owner_id: id }) => (id > highest ? id : highest), LOWEST_ID);
    this.lastOwners.set(cell, last);
    return rows.length > 0;
  }

  /** Leases messages of the owners that follow another one, and starts to send them. */
  private async sendAfter(after: string, most: number): Promise<LeasedMessage[]> {
    const due = await selectDueMessages.all(database(), { after, busy: this.busyOwners(), most });
    const chosen = this.withRoom(due);
    if (chosen.length === 0) return [];
    for (const each of chosen) this.leasing.add(each);
    try {
      const rows = await leaseMessages.all(database(), { messages: chosen.map(({ id }) => id) });
      for (const row of rows) if (row.is_silent !== true) this.begin(row);
      return rows;
    } finally {
      for (const each of chosen) this.leasing.delete(each);
    }
  }

  private begin(row: LeasedMessage): void {
    // Not AbortSignal.any: in Node 20 it leaks when one of the signals lives as long as the process.
    const ending = new AbortController();
    if (this.isStopping) ending.abort();
    const timeoutTimer = setTimeout(() => ending.abort(), TIMEOUT_MS);
    const slowTimer = setTimeout(() => {
      this.slowOwners.set(row.owner_id, true);
      this.onRoom();
    }, SLOW_MS);
    const done = this.send(row, ending.signal).catch((error: unknown) =>
      log().warn({ err: error, messageId: row.id }, 'message of an alert could not be recorded; it is sent again'),
    );
    const entry = { ownerId: row.owner_id, ending, done };
    this.inFlight.add(entry);
    void done.finally(() => {
      clearTimeout(timeoutTimer);
      clearTimeout(slowTimer);
      this.inFlight.delete(entry);
      this.onRoom();
    });
  }

  /** Ends what is under way, and returns it for other workers. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const { ending } of this.inFlight) ending.abort();
    await Promise.all([...this.inFlight].map(({ done }) => done));
  }

  /** The owner of each place that is taken. */
  private takenBy(): string[] {
    const leasing = [...this.leasing].map(({ owner_id: ownerId }) => ownerId ?? '');
    return [...leasing, ...[...this.inFlight].map(({ ownerId }) => ownerId)];
  }

  /** The places that are free. Slow messages beyond their places take those of quick ones. */
  private room(): { quick: number; slow: number } {
    const taken = this.takenBy();
    const slow = taken.filter((ownerId) => this.slowOwners.has(ownerId)).length;
    const quick = taken.length - Math.min(slow, PLACES.slow);
    return { quick: Math.max(0, PLACES.quick - quick), slow: Math.max(0, PLACES.slow - slow) };
  }

  /** The owners that have no room now. */
  private busyOwners(): string[] {
    const taken = this.takenBy();
    const counts = new Map<string, number>();
    for (const ownerId of taken) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
    const most = taken.length < HALF ? OF_OWNER : 1;
    const full = [...counts].filter(([, count]) => count >= most).map(([ownerId]) => ownerId);
    return this.room().slow > 0 ? full : [...full, ...this.slowOwners.keys()];
  }

  /** Returns the due messages for which there is room, also beside each other. */
  private withRoom<Due extends { owner_id: string | null }>(due: readonly Due[]): Due[] {
    const room = this.room();
    const owners = this.takenBy();
    const counted = new Set(owners);
    let taken = owners.length;
    return due.filter(({ owner_id: ownerId }) => {
      const place = this.slowOwners.has(ownerId ?? '') ? 'slow' : 'quick';
      if (room[place] === 0 || (taken >= HALF && counted.has(ownerId ?? ''))) return false;
      room[place] -= 1;
      taken += 1;
      return true;
    });
  }

  private async send(row: LeasedMessage, signal: AbortSignal): Promise<void> {
    const { succeeded, responseStatus, error } = await attempt(row, this.pools, signal);
    if (succeeded) {
      await recordSent.run(database(), { message: row.id, responseStatus });
      return;
    }
    if (this.isStopping) {
      await releaseMessages.run(database(), { messages: [row.id] });
      return;
    }
    const retrySeconds = RETRY_SECONDS[row.attempts - 1] ?? null;
    await recordFailure.run(database(), { message: row.id, responseStatus, error, retrySeconds });
  }
}

/** Makes one attempt. Never rejects: a target that cannot be read is a failure too. */
async function attempt(row: LeasedMessage, pools: HttpPools, signal: AbortSignal) {
  try {
    if (row.target_encrypted === null) throw new Error('no target');
    const url = openAlertTarget(row.target_encrypted);
    const { type } = titleOf(row);
    const event = { id: row.id, type, timestamp: row.created_at.toISOString() };
    const options = { signal, tenant: row.owner_id };
    if (row.alert_kind === 'SLACK') {
      const data = JSON.stringify(toSlack(row));
      return (await sendOnce({ url, secrets: [], sendsData: true }, { ...event, data }, options, pools)).result;
    }
    const sealed = [row.secret_encrypted, row.previous_secret_encrypted].filter((secret) => secret !== null);
    const data = JSON.stringify({ ...row.data, text: row.text });
    return (await sendOnce({ url, secrets: sealed.map(openEndpointSecret) }, { ...event, data }, options, pools))
      .result;
  } catch (error) {
    log().error({ err: error, alertId: row.alert_id }, 'message of an alert could not be prepared');
    return { succeeded: false, responseStatus: null, error: 'Target or secret cannot be read' };
  }
}

/** Makes the body of an incoming webhook of Slack. */
function toSlack(row: LeasedMessage): { text: string } {
  const { messages, link } = row.data;
  const lines = [
    `*${escapeSlack(titleOf(row).subject)}*`,
    escapeSlack(row.text),
    ...(Array.isArray(messages) ? messages.map((each) => `• ${escapeSlack(String(each))}`) : []),
    ...detailsOf(row.data).map(escapeSlack),
    `<${String(link)}|View details>`,
  ];
  return { text: lines.join('\n') };
}

/** The three characters that Slack reads as markup of links and mentions. */
const escapeSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
