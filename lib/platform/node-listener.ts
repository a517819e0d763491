import { SECOND_MS } from './clock';
import { DatabaseClient } from './database-client';
import { log } from './log';
import { listenTo, ping, stopListeningTo } from './session-sql';

const RECONNECT_MS = SECOND_MS;
/** Without a query now and then, a dead connection looks like a quiet one. */
const HEARTBEAT_MS = 5 * SECOND_MS;
/** With this timeout a dead connection is detected within ten seconds. */
const STATEMENT_MS = 3 * SECOND_MS;

/** By channel. Called with the payload of a notification, and with an empty one when some may have been missed. */
export type Handlers = Map<string, (payload: string) => void>;

/**
 * Listens to NOTIFY on one PostgreSQL, on its own connection, and replaces the connection when it breaks or dies silently. Notifications
 * are lost while there is no connection, so each handler is called once after each connect.
 */
export class NodeListener {
  private client: DatabaseClient | null = null;
  /** Whether the client listens to all channels that were there when it connected. */
  private isListening = false;
  /** Settles after the last statement that was begun. Never rejects. */
  private settled: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private heartbeat: NodeJS.Timeout | null = null;
  private isClosed = false;
  /** Whether the loss of the connection has been logged. */
  private isLost = false;

  /** @param handlers those that listeners of other nodes share; a channel that is added later needs `listen` */
  constructor(
    private readonly databaseUrl: string | undefined,
    private readonly handlers: Handlers,
  ) {}

  /** Listens to a further channel. Its handler is called once when that has begun. */
  listen(channel: string): void {
    this.change(async (client) => {
      await listenTo(client, channel);
      this.handlers.get(channel)?.('');
    });
  }

  /** Ends that. */
  unlisten(channel: string): void {
    this.change((client) => stopListeningTo(client, channel));
  }

  async connect(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: this.databaseUrl,
      application_name: 'event-delivery-service listener',
      statementMs: STATEMENT_MS,
    });
    this.client = client;
    client.on('notification', ({ channel, payload }) => this.handlers.get(channel)?.(payload ?? ''));
    client.on('error', (error) => this.reconnect(client, error));
    client.on('end', () => this.reconnect(client));
    try {
      await client.connect();
      // Those that are added meanwhile come last.
      for (const channel of this.handlers.keys()) await listenTo(client, channel);
    } catch (error) {
      this.reconnect(client, error);
      return;
    }
    if (this.client !== client) return;
    this.isListening = true;
    if (this.isLost) log().info('connection for notifications restored');
    this.isLost = false;
    this.heartbeat = setInterval(() => this.check(client), HEARTBEAT_MS);
    for (const handler of this.handlers.values()) handler('');
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.isListening = false;
    this.stopTimers();
    await this.client?.end().catch(() => undefined);
  }

  private check(client: DatabaseClient): void {
    if (!client.isWaiting) this.change((waiting) => ping.run(waiting));
  }

  /** Runs a statement after those that were begun before. A connection that is opened meanwhile knows all channels. */
  private change(work: (client: DatabaseClient) => Promise<unknown>): void {
    const { client } = this;
    if (client === null || !this.isListening) return;
    this.settled = this.settled
      .then(() => (this.client === client && this.isListening ? work(client) : undefined))
      .catch((error: unknown) => this.reconnect(client, error));
  }

  private reconnect(broken: DatabaseClient, reason?: unknown): void {
    if (this.isClosed || this.client !== broken) return;
    this.client = null;
    this.isListening = false;
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
