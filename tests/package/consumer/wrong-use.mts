// Type-checked as a user's program: each of these mistakes must be one for the compiler too. Nothing runs it.
import { EventDeliveryClient, type NewEvent, verifySignature } from 'event-delivery-client';

// @ts-expect-error baseUrl is missing
export const withoutUrl = new EventDeliveryClient({ apiKey: 'key' });
// @ts-expect-error an option with a typing error
export const misspelled = new EventDeliveryClient({ baseUrl: '', apikey: 'key' });

const client = new EventDeliveryClient({ baseUrl: '' });

// @ts-expect-error data is missing
export const withoutData: NewEvent = { type: 'a' };

export async function misuse(): Promise<void> {
  // @ts-expect-error data is an object
  await client.events.send({ type: 'a', data: 'text' });
  // @ts-expect-error events have no such field
  await client.events.send({ type: 'a', data: {}, channel: 'b' });
  // @ts-expect-error no status has this name
  await client.deliveries.list({ status: 'LOST' });
  // @ts-expect-error a limit is a number
  await client.events.list({ limit: '5' });
  // @ts-expect-error the id is missing
  await client.endpoints.get();
  // @ts-expect-error no resource has this name
  client.webhooks;
  const { id } = await client.events.send({ type: 'a', data: {} });
  // @ts-expect-error an id is text
  id.toFixed();
  // @ts-expect-error a response without data
  (await client.events.send({ type: 'a', data: {} })).data;
  // @ts-expect-error the credential has a token, not a password
  await client.destinations.create('source', { url: '', auth: { type: 'BEARER', password: 'a' } });
  // @ts-expect-error the headers are missing
  verifySignature('body', 'secret');
}
