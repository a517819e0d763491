import { createResources, type Resources } from './generated/resources';
import type { ClientOptions } from './options';
import { createTransport } from './transport';

/** A client of the API: resources as methods, such as `client.events.send({ type, data })`. */
export type EventDeliveryClient = Resources;

/** @throws TypeError when an option cannot be used */
export const EventDeliveryClient = class EventDeliveryClient {
  constructor(options: ClientOptions) {
    // A copy: a later change of the caller's object must not redirect requests.
    Object.assign(this, createResources(createTransport({ ...options })));
  }
} as new (
  options: ClientOptions,
) => Resources;
