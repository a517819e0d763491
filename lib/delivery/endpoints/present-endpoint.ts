import type { Endpoint } from '@/lib/delivery/schema';
import type { Endpoint as EndpointRow } from '@/lib/platform/prisma/generated/client';

/** What is shown of an endpoint comes from these columns: its secrets are not among them. */
export type ShownEndpoint = Pick<EndpointRow, keyof Endpoint>;

/** An endpoint as the API shows it: never its secret. */
export function presentEndpoint(row: ShownEndpoint): Endpoint {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    failingSince: row.failingSince?.toISOString() ?? null,
    retrySeconds: row.retrySeconds,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
