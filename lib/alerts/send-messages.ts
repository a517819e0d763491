import { openEndpointSecret } from '@/lib/delivery/credentials';
import { sendOnce } from '@/lib/delivery/engine/send-once';
import { SECOND_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { openAlertTarget } from './credentials';
import { titleOf } from './describe';
import { type LeasedMessage, leaseMessages, recordFailure, recordSent, releaseMessages } from './messages-sql';

/** Messages in flight at most in a process: of all, and of one owner. They take no place of a delivery. */
const AT_ONCE = 10;
const OF_OWNER = 2;
const TIMEOUT_MS = 10 * SECOND_MS;
/** Seconds before each further attempt; then a message is given up. */
const RETRY_SECONDS = [10, 60, 300, 900];

/** Sends messages to webhooks and Slack, in places of their own: a target that hangs delays no delivery and no mail. */
export class MessageSender {
  private readonly inFlight = new Set<{ ownerId: string; messageId: string; done: Promise<void> }>();
  private readonly stopping = new AbortController();

  /** @param onRoom is called when a message has ended */
  constructor(
    private readonly pools: HttpPools,
    private readonly onRoom: () => void,
  ) {}

  /** Starts to send due messages, as many as there is room for. @returns whether more may be due */
  async sendDue(): Promise<boolean> {
    const most = AT_ONCE - this.inFlight.size;
    if (most <= 0 || this.stopping.signal.aborted) return false;
    const rows = await leaseMessages.all(database(), { busy: this.busyOwners(), most });
    for (const row of rows) {
      const done = this.send(row).catch((error: unknown) =>
        log().warn({ err: error, messageId: row.id }, 'message of an alert could not be recorded; it is sent again'),
      );
      const entry = { ownerId: row.owner_id, messageId: row.id, done };
      this.inFlight.add(entry);
      void done.finally(() => {
        this.inFlight.delete(entry);
        this.onRoom();
      });
    }
    return rows.length > 0;
  }

  /** Ends what is under way, and returns it for other workers. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([...this.inFlight].map(({ done }) => done));
  }

  private busyOwners(): string[] {
    const counts = new Map<string, number>();
    for (const { ownerId } of this.inFlight) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= OF_OWNER).map(([ownerId]) => ownerId);
  }

  private async send(row: LeasedMessage): Promise<void> {
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const { succeeded, responseStatus, error } = await attempt(row, this.pools, signal);
    if (succeeded) {
      await recordSent.run(database(), { message: row.id, responseStatus });
      return;
    }
    if (this.stopping.signal.aborted) {
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
  const { lastError, eventType, messages, link } = row.data;
  const lines = [
    `*${escapeSlack(titleOf(row).subject)}*`,
    escapeSlack(row.text),
    ...(Array.isArray(messages) ? messages.map((each) => `• ${escapeSlack(String(each))}`) : []),
    ...(typeof lastError === 'string' ? [`Last error: ${escapeSlack(lastError)}`] : []),
    ...(typeof eventType === 'string' ? [`Event type: ${escapeSlack(eventType)}`] : []),
    `<${String(link)}|View details>`,
  ];
  return { text: lines.join('\n') };
}

/** The three characters that Slack reads as markup of links and mentions. */
const escapeSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
