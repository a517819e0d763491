import type { Context } from '@/lib/cli/context';
import { isApiError, type ProjectOptions } from '@/lib/client';
import type { Delivery } from '@/lib/delivery/schema';

type Target = Pick<Delivery, 'endpointId' | 'destinationId' | 'incomingEventId'>;

/** Deliveries of a list have few targets. A longer list forgets and asks again. */
const MAX_NAMES = 1_000;

/** Finds the URLs that deliveries go to. */
export class TargetNames {
  readonly #names = new Map<string, string>();
  #haveEndpoints = false;

  constructor(
    private readonly context: Context,
    private readonly project: ProjectOptions,
  ) {}

  /** Returns a delivery with the URL of its endpoint or destination, or its ID where the URL is not known. */
  async named<D extends Target>(delivery: D): Promise<D & { target: string }> {
    const id = delivery.endpointId ?? delivery.destinationId;
    if (id === null) return { ...delivery, target: '' };
    const known = this.#names.get(id) ?? (await this.#find(id, delivery));
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    this.#names.set(id, known);
    return { ...delivery, target: known };
  }

  async #find(id: string, target: Target): Promise<string> {
    try {
      return target.endpointId === null ? await this.#urlOfDestination(id, target) : await this.#urlOfEndpoint(id);
    } catch (error) {
      // A name is a convenience: without the right to read it, or after its deletion, the ID is shown.
      if (isApiError(error)) return error.status === 404 ? `${id} (deleted)` : id;
      throw error;
    }
  }

  /** Most projects have less than a page of endpoints: one request names all of them. */
  async #urlOfEndpoint(id: string): Promise<string> {
    const { client } = this.context;
    if (!this.#haveEndpoints) {
      this.#haveEndpoints = true;
      const { data } = await client.endpoints.list({ limit: 100 }, this.project);
      for (const endpoint of data) this.#names.set(endpoint.id, endpoint.url);
    }
    return this.#names.get(id) ?? (await client.endpoints.get(id, this.project)).url;
  }

  /** Only an incoming event knows the source that has the destination. */
  async #urlOfDestination(id: string, { incomingEventId }: Target): Promise<string> {
    if (incomingEventId === null) return id;
    const { client } = this.context;
    const { sourceId } = await client.incomingEvents.get(incomingEventId, this.project);
    return (await client.destinations.get(sourceId, id, this.project)).url;
  }
}
