import { nodeUrls, onNodesChange } from './cells/cell-nodes';
import { directDatabaseUrl } from './database-client';
import { type Handlers, NodeListener } from './node-listener';

type NewHandlers = Readonly<Record<string, (payload: string) => void>>;

/** Listens to NOTIFY, on one PostgreSQL or on each node that has cells: a notification reaches those who listen on the node that sent it. */
export class WakeListener {
  private readonly handlers: Handlers;
  private readonly nodes = new Map<string | undefined, NodeListener>();
  private stopWatching: () => void = () => undefined;

  /** @param handlers by channel, called with the payload of a notification, and with an empty one when some may have been missed */
  constructor(handlers: NewHandlers) {
    this.handlers = new Map(Object.entries(handlers));
  }

  /**
   * Listens to further channels. Their handlers are called once when that has begun.
   * @returns a function that ends it, except for channels that have another handler since
   */
  add(handlers: NewHandlers): () => void {
    for (const [channel, handler] of Object.entries(handlers)) {
      this.handlers.set(channel, handler);
      for (const node of this.nodes.values()) node.listen(channel);
    }
    return () => {
      for (const [channel, handler] of Object.entries(handlers)) {
        if (this.handlers.get(channel) !== handler) continue;
        this.handlers.delete(channel);
        for (const node of this.nodes.values()) node.unlisten(channel);
      }
    };
  }

  async connect(): Promise<void> {
    this.stopWatching = onNodesChange(() => void this.connectToNodes());
    await this.connectToNodes();
  }

  async close(): Promise<void> {
    this.stopWatching();
    await Promise.all([...this.nodes.values()].map((node) => node.close()));
  }

  private async connectToNodes(): Promise<void> {
    const urls = new Set([directDatabaseUrl(), ...nodeUrls()]);
    const added = [...urls].filter((url) => !this.nodes.has(url));
    for (const [url, node] of this.nodes) {
      if (urls.has(url)) continue;
      this.nodes.delete(url);
      void node.close();
    }
    const nodes = added.map((url) => new NodeListener(url, this.handlers));
    for (const [index, node] of nodes.entries()) this.nodes.set(added[index], node);
    await Promise.all(nodes.map((node) => node.connect()));
  }
}
