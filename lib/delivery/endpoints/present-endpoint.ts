import type { Endpoint } from '@/lib/delivery/schema';
import type { Endpoint as EndpointRow } from '@/lib/platform/prisma/generated/client';

/** The columns that the API shows. The secrets are not among them. */
export type ShownEndpoint = Pick<EndpointRow, keyof Endpoint>;

/** Converts a row to an endpoint of the API. */
export function presentEndpoint(row: ShownEndpoint): Endpoint {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    pauseReason: row.pauseReason,
    failingSince: row.failingSince?.toISOString() ?? null,
    retrySeconds: row.retrySeconds,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
