import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { refuseOwnUrl } from '@/lib/delivery/engine/own-service';
import type { Endpoint, UpdateEndpointBody } from '@/lib/delivery/schema';
import { fieldError } from '@/lib/platform/errors';
import type { Endpoint as EndpointRow } from '@/lib/platform/prisma/generated/client';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { getEndpointRow, presentEndpoint } from './queries';

/**
 * Changes the given fields of an endpoint. Disabling it by hand pauses it, and enabling it also clears its failures and the reason why
 * it was disabled or paused.
 * @throws AppError not_found; validation_failed for a URL of this service, and for a reason to pause an
 *   endpoint that is or becomes enabled
 */
export async function updateEndpoint(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  endpointId: string,
  body: UpdateEndpointBody,
  at: Date,
): Promise<Endpoint> {
  return inTransaction(async (tx) => {
    const present = await getEndpointRow(tx.prisma, projectId, endpointId);
    if (Object.keys(body).length === 0) return presentEndpoint(present);
    if (typeof body.pauseReason === 'string' && (body.enabled ?? present.enabled)) {
      throw fieldError('pauseReason', 'needs "enabled": false');
    }
    refuseOwnUrl(body.url);
    const row = await tx.prisma.endpoint.update({
      where: { id: endpointId, projectId, deletedAt: null },
      data: { ...definedFields(body), ...changesOfState(present, body, at) },
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

function changesOfState({ url, enabled }: EndpointRow, body: UpdateEndpointBody, at: Date) {
  return {
    ...(body.url === undefined || body.url === url ? {} : { urlChangedAt: at }),
    ...(body.enabled === true ? { disabledReason: null, disabledAt: null, pauseReason: null, failingSince: null } : {}),
    ...(body.enabled === false && enabled ? { disabledAt: at } : {}),
  };
}

function definedFields(body: UpdateEndpointBody) {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
