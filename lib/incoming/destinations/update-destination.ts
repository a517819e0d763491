import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { sealDestinationAuth } from '@/lib/delivery/destination-auth';
import { ownTunnels, refuseOwnUrl } from '@/lib/delivery/engine/own-service';
import type { Destination, UpdateDestinationBody } from '@/lib/incoming/schema';
import { fieldError } from '@/lib/platform/errors';
import type { Destination as DestinationRow } from '@/lib/platform/prisma/generated/client';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { auditDestination, type DestinationPath, getDestinationRow, presentDestination } from './queries';

/** Whether the stored credential would go to another server, where those who may change a destination could read it. */
function isMoved({ url, authEncrypted }: DestinationRow, newUrl: string | undefined): boolean {
  return authEncrypted !== null && newUrl !== undefined && receiverOf(newUrl) !== receiverOf(url);
}

/** Returns the origin of a URL. The tunnels of all tenants share one, so the token of theirs is added. */
function receiverOf(url: string): string {
  const { origin, pathname } = new URL(url);
  const [, token = ''] = /^\/t\/([^/]+)/.exec(pathname) ?? [];
  const isOwn = ownTunnels().covers({ origin, path: pathname });
  return isOwn ? `${origin}/t/${token}` : origin;
}

function changesOfState({ url, enabled }: DestinationRow, body: UpdateDestinationBody, at: Date) {
  return {
    ...(body.url === undefined || body.url === url ? {} : { urlChangedAt: at }),
    ...(body.enabled === true ? { disabledReason: null, disabledAt: null, pauseReason: null, failingSince: null } : {}),
    ...(body.enabled === false && enabled ? { disabledAt: at } : {}),
  };
}

/**
 * Changes the given fields of a destination. A new credential replaces the old one at once. Disabling the destination by hand pauses it,
 * and enabling it also clears its failures and the reason why it was disabled or paused.
 * @throws AppError not_found; validation_failed for a URL of this service, when the URL moves to another origin or tunnel and the
 *   credential is not given again, and for a reason to pause a destination that is or becomes enabled
 */
export async function updateDestination(
  caller: PersonCaller | KeyCaller,
  path: DestinationPath,
  body: UpdateDestinationBody,
  at: Date,
): Promise<Destination> {
  return inTransaction(async (tx) => {
    const present = await getDestinationRow(tx.prisma, path);
    const fields = Object.keys(body);
    if (fields.length === 0) return presentDestination(present, at);
    const { auth, ...shown } = body;
    if (auth === undefined && isMoved(present, body.url)) {
      throw fieldError('auth', 'must be given again, or null, because the URL has another origin or tunnel');
    }
    if (typeof body.pauseReason === 'string' && (body.enabled ?? present.enabled)) {
      throw fieldError('pauseReason', 'needs "enabled": false');
    }
    refuseOwnUrl(body.url);
    const row = await tx.prisma.destination.update({
      where: { id: path.destinationId, sourceId: path.sourceId, projectId: path.projectId, deletedAt: null },
      data: {
        ...Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)),
        ...(auth === undefined ? {} : { authEncrypted: auth === null ? null : sealDestinationAuth(auth) }),
        ...changesOfState(present, body, at),
      },
    });
    await auditDestination(tx, caller, 'destination.updated', path, {
      fields,
      ...(body.url === undefined ? {} : { origin: new URL(body.url).origin }),
    });
    return presentDestination(row, at);
  });
}
