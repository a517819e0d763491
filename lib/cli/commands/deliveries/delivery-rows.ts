import type { Context } from '@/lib/cli/context';
import { text } from '@/lib/cli/options';
import { type Column, columns } from '@/lib/cli/output/column';
import { isApiError } from '@/lib/client';
import type { Delivery } from '@/lib/delivery/schema';
import { deliveryStateOf } from '@/lib/events/delivery-state-policy';

/** Deliveries of a list have few targets. A longer list forgets and asks again. */
const MAX_NAMES = 1_000;

/** A delivery with the URL that it goes to. */
export type NamedDelivery = Delivery & { target: string };

/** The status of the last response, or why there was none. */
const resultOf = ({ lastResponseStatus, lastError }: Delivery) => lastResponseStatus ?? lastError;

const RESULT_COLUMNS = columns<NamedDelivery>(
  'id',
  { header: 'STATUS', value: deliveryStateOf, kind: 'state' },
  { header: 'RESULT', value: resultOf, kind: 'state' },
  { header: 'ATTEMPTS', value: ({ attemptCount }) => attemptCount, spare: 3 },
);
const TARGET: Column<NamedDelivery> = { header: 'TARGET', value: ({ target }) => target, kind: 'url' };

/** The columns of the deliveries of one event. */
export const EVENT_DELIVERY_COLUMNS = columns<NamedDelivery>(
  ...RESULT_COLUMNS,
  { header: 'NEXT', value: ({ nextAttemptAt }) => nextAttemptAt, kind: 'time', spare: 2 },
  TARGET,
);

export const DELIVERY_COLUMNS = columns<NamedDelivery>(
  ...RESULT_COLUMNS,
  { header: 'EVENT', value: ({ eventType }) => eventType ?? 'incoming', spare: 1 },
  'createdAt:2',
  TARGET,
);

export const TYPE_FILTER = text(
  '-t, --type <type>',
  'only deliveries of events of this type or pattern, such as `order.*`',
);

type Target = Pick<Delivery, 'endpointId' | 'destinationId' | 'incomingEventId'>;

/** Finds the URLs that deliveries go to. */
export class TargetNames {
  readonly #names = new Map<string, string>();
  #haveEndpoints = false;

  constructor(private readonly context: Context) {}

  /** Returns a delivery with the URL of its endpoint or destination, or its ID where the URL is not known. */
  async named<D extends Target>(delivery: D): Promise<D & { target: string }> {
    const id = delivery.endpointId ?? delivery.destinationId;
    if (id === null) return { ...delivery, target: '' };
    const known = this.#names.get(id) ?? (await this.#find(id, delivery));
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    this.#names.set(id, known);
    return { ...delivery, target: known };
  }

  /** Names the rows of a list. As JSON they stay what the API returns: names would cost requests that nobody needs. */
  async *ofAll<D extends Partial<Target>>(rows: AsyncIterable<D>): AsyncGenerator<D & { target: string }> {
    for await (const row of rows) {
      if (this.context.out.isJson) yield row as D & { target: string };
      else yield await this.named({ endpointId: null, destinationId: null, incomingEventId: null, ...row });
    }
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
      const { data } = await client.endpoints.list({ limit: 100 });
      for (const endpoint of data) this.#names.set(endpoint.id, endpoint.url);
    }
    return this.#names.get(id) ?? (await client.endpoints.get(id)).url;
  }

  /** Only an incoming event knows the source that has the destination. */
  async #urlOfDestination(id: string, { incomingEventId }: Target): Promise<string> {
    if (incomingEventId === null) return id;
    const { client } = this.context;
    const { sourceId } = await client.incomingEvents.get(incomingEventId);
    return (await client.destinations.get(sourceId, id)).url;
  }
}
