import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { Endpoint, UpdateEndpointBody } from '@/lib/delivery/schema';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { presentEndpoint } from './present-endpoint';
import { getEndpointRow } from './queries';

/**
 * Changes the given fields of an endpoint. Enabling it also clears its failures and the reason why it was disabled.
 * @throws AppError not_found
 */
export async function updateEndpoint(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  endpointId: string,
  body: UpdateEndpointBody,
): Promise<Endpoint> {
  return inTransaction(async (tx) => {
    const present = await getEndpointRow(tx.prisma, projectId, endpointId);
    if (Object.keys(body).length === 0) return presentEndpoint(present);
    const row = await tx.prisma.endpoint.update({
      where: { id: endpointId, projectId, deletedAt: null },
      data: {
        ...definedFields(body),
        ...(body.enabled === true ? { disabledReason: null, disabledAt: null, failingSince: null } : {}),
      },
    });
    await recordAudit(tx, caller, {
      action: 'endpoint.updated',
      organizationId: caller.organizationId,
      target: { type: 'endpoint', id: endpointId },
      details: { projectId, fields: Object.keys(body) },
    });
    return presentEndpoint(row);
  });
}

function definedFields(body: UpdateEndpointBody) {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
