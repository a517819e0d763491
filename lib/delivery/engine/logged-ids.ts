import type { LeasedDelivery } from './types';

/** A batch has hundreds; the log names the first ones. */
const MAX_LOGGED = 10;

/** Describes a batch for the log: how many deliveries it has, and the ids of the first ones. */
export function loggedIds(jobs: readonly LeasedDelivery[]): { jobs: number; deliveryIds: string[] } {
  return { jobs: jobs.length, deliveryIds: jobs.slice(0, MAX_LOGGED).map(({ deliveryId }) => deliveryId) };
}
