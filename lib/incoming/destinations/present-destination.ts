import { type DestinationCredential, openDestinationAuth } from '@/lib/delivery/destination-auth';
import type { Destination, DestinationAuth } from '@/lib/incoming/schema';
import { unexpired } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import type { Destination as DestinationRow } from '@/lib/platform/prisma/generated/client';

/** Converts a row to a destination of the API, without its credential and secrets. */
export function presentDestination(row: DestinationRow, at: Date): Destination {
  return {
    id: row.id,
    sourceId: row.sourceId,
    url: row.url,
    description: row.description,
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    pauseReason: row.pauseReason,
    failingSince: row.failingSince?.toISOString() ?? null,
    retrySeconds: row.retrySeconds,
    auth: row.authEncrypted === null ? null : presentAuth(row.id, row.authEncrypted),
    hasSecret: row.secretEncrypted !== null,
    previousSecretExpiresAt: unexpired(row.previousSecretExpiresAt, at),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function presentAuth(destinationId: string, sealed: Uint8Array): DestinationAuth {
  const credential = openOrNull(destinationId, sealed);
  if (credential === null) return { type: 'UNREADABLE' };
  switch (credential.type) {
    case 'BEARER':
      return { type: 'BEARER' };
    case 'BASIC':
      return { type: 'BASIC', username: credential.username };
    case 'HEADER':
      return { type: 'HEADER', name: credential.name };
  }
}

/** A lost key must not hide the destination: users need to find it to replace the credential. */
function openOrNull(destinationId: string, sealed: Uint8Array): DestinationCredential | null {
  try {
    return openDestinationAuth(sealed);
  } catch (error) {
    log().error({ err: error, destinationId }, 'credential cannot be read');
    return null;
  }
}
