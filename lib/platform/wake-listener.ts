import { SECOND_MS } from './clock';
import { DatabaseClient, directDatabaseUrl } from './database-client';
import { log } from './log';
import { listenTo, ping } from './session-sql';

const RECONNECT_MS = SECOND_MS;
/** Without a query now and then, a dead connection looks like a quiet one. */
const HEARTBEAT_MS = 5 * SECOND_MS;
/** With this timeout a dead connection is detected within ten seconds. */
const STATEMENT_MS = 3 * SECOND_MS;

/**
 * Listens to NOTIFY on its own connection, and replaces the connection when it breaks or dies silently. Notifications are lost
 * while there is no connection, so each handler is called once after each connect.
 */
export class WakeListener {
  private client: DatabaseClient | null = null;
  private timer: NodeJS.Timeout | null = null;
  private heartbeat: NodeJS.Timeout | null = null;
  private isClosed = false;
  /** Whether the loss of the connection has been logged. */
  private isLost = false;

  /** @param handlers called with the payload, by channel */
  constructor(private readonly handlers: Readonly<Record<string, (payload: string) => void>>) {}

  async connect(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: directDatabaseUrl(),
      application_name: 'event-delivery-service listener',
      statementMs: STATEMENT_MS,
    });
    this.client = client;
    client.on('notification', ({ channel, payload }) => this.handlers[channel]?.(payload ?? ''));
    client.on('error', (error) => this.reconnect(client, error));
    client.on('end', () => this.reconnect(client));
    try {
      await client.connect();
      for (const channel of Object.keys(this.handlers)) await listenTo(client, channel);
    } catch (error) {
      this.reconnect(client, error);
      return;
    }
    if (this.client !== client) return;
    if (this.isLost) log().info('connection for notifications restored');
    this.isLost = false;
    this.heartbeat = setInterval(() => this.check(client), HEARTBEAT_MS);
    for (const handler of Object.values(this.handlers)) handler('');
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.stopTimers();
    await this.client?.end().catch(() => undefined);
  }

  private check(client: DatabaseClient): void {
    if (client.isWaiting) return;
    ping.run(client).catch((error: unknown) => this.reconnect(client, error));
  }

  private reconnect(broken: DatabaseClient, reason?: unknown): void {
    if (this.isClosed || this.client !== broken) return;
    this.client = null;
    this.stopTimers();
    if (!this.isLost) log().warn({ err: reason }, 'connection for notifications lost; polling until it is restored');
    this.isLost = true;
    void broken.end().catch(() => undefined);
    this.timer = setTimeout(() => void this.connect(), RECONNECT_MS);
  }

  private stopTimers(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.heartbeat !== null) clearInterval(this.heartbeat);
  }
}
