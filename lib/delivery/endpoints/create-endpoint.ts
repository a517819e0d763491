import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { makeEndpointSecret, sealEndpointSecret } from '@/lib/delivery/endpoint-secret';
import { refuseOwnUrl } from '@/lib/delivery/engine/own-service';
import type { CreateEndpointBody, Endpoint } from '@/lib/delivery/schema';
import { lockProject } from '@/lib/orgs/lock-project';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { presentEndpoint } from './queries';

/**
 * Creates an endpoint with a new signing secret.
 * @throws AppError limit_reached; not_found when the project is deleted; validation_failed for a URL of this service
 */
export async function createEndpoint(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  body: CreateEndpointBody,
): Promise<Endpoint> {
  refuseOwnUrl(body.url);
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    refuseBeyondLimit(
      'PROJECT_MAX_ENDPOINTS',
      await tx.prisma.endpoint.count({ where: { projectId, deletedAt: null } }),
    );
    const row = await tx.prisma.endpoint.create({
      data: {
        id: newId(),
        projectId,
        url: body.url,
        description: body.description ?? null,
        enabled: body.enabled,
        retrySeconds: body.retrySeconds,
        secretEncrypted: sealEndpointSecret(makeEndpointSecret()),
      },
    });
    await recordAudit(tx, caller, {
      action: 'endpoint.created',
      organizationId: caller.organizationId,
      target: { type: 'endpoint', id: row.id },
      details: { projectId },
    });
    return presentEndpoint(row);
  });
}
