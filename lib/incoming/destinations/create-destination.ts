import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { sealDestinationAuth } from '@/lib/delivery/destination-auth';
import { makeEndpointSecret, sealEndpointSecret } from '@/lib/delivery/endpoint-secret';
import { refuseOwnUrl } from '@/lib/delivery/engine/own-service';
import type { CreateDestinationBody, Destination } from '@/lib/incoming/schema';
import { getSourceRow } from '@/lib/incoming/sources/queries';
import { lockProject } from '@/lib/orgs/lock-project';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { auditDestination, presentDestination } from './queries';

/**
 * Creates a destination of a source. It gets the source's events from then on.
 * @throws AppError not_found for the project or the source; limit_reached; validation_failed for a URL of this service
 */
export async function createDestination(
  caller: PersonCaller | KeyCaller,
  { projectId, sourceId }: { projectId: string; sourceId: string },
  body: CreateDestinationBody,
  at: Date,
): Promise<Destination> {
  refuseOwnUrl(body.url);
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    await getSourceRow(tx.prisma, projectId, sourceId);
    refuseBeyondLimit(
      'PROJECT_MAX_DESTINATIONS',
      await tx.prisma.destination.count({ where: { projectId, deletedAt: null } }),
    );
    const { url, enabled, retrySeconds } = body;
    const row = await tx.prisma.destination.create({
      data: {
        id: newId(),
        projectId,
        sourceId,
        url,
        enabled,
        retrySeconds,
        description: body.description ?? null,
        authEncrypted: body.auth == null ? null : sealDestinationAuth(body.auth),
        secretEncrypted: body.signing ? sealEndpointSecret(makeEndpointSecret()) : null,
      },
    });
    await auditDestination(tx, caller, 'destination.created', { projectId, sourceId, destinationId: row.id });
    return presentDestination(row, at);
  });
}
