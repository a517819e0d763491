import type { PersonCaller } from '@/lib/audit/caller';
import { changedFields } from '@/lib/audit/changed-fields';
import { auditChange } from '@/lib/audit/record-audit';
import { makeEndpointSecret, openEndpointSecret, sealEndpointSecret } from '@/lib/delivery/credentials';
import { ownUrlFault } from '@/lib/delivery/engine/own-service';
import { addressOf } from '@/lib/delivery/engine/targets';
import type { EndpointSecret, RotateSecretBody } from '@/lib/delivery/schema';
import { requireRole } from '@/lib/orgs/locks';
import { lockProject } from '@/lib/orgs/projects';
import { maySeeSecrets, ownerOfProject, refuseIfMoved } from '@/lib/orgs/tenant';
import { addMs, HOUR_MS, unexpired } from '@/lib/platform/clock';
import { database, type Sql } from '@/lib/platform/db';
import { AppError, fieldError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { REDACTED } from '@/lib/platform/net/credential-names';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { inCamelCase, present } from '@/lib/platform/present';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { inRowTurn } from '@/lib/platform/row-turn';
import { HIGHEST_ID } from '@/lib/platform/sql/bounded-scan';
import { withAddresses } from './addresses';
import {
  type AlertRow,
  findAlert,
  findMemberByAddress,
  forgetIncidents,
  replaceAlertSecret,
  selectAlerts,
} from './alerts-sql';
import { sealAlertTarget, tryOpenAlertTarget } from './credentials';
import { wakeMessages } from './messages-sql';
import {
  Alert,
  type AlertKind,
  type CreateAlertBody,
  type CreatedAlert,
  TARGETS,
  type UpdateAlertBody,
} from './schema';
import { ALERT_TRIGGERS } from './triggers-policy';

/** The project of an alert, and its id. */
export interface AlertPath {
  projectId: string;
  alertId: string;
}

/** Lists the alerts of a project, newest first. */
export async function listAlerts(
  caller: PersonCaller,
  projectId: string,
  { cursor = HIGHEST_ID, limit }: Page,
): Promise<Listing<Alert>> {
  const rows = await selectAlerts.all(database(), { project: projectId, before: cursor, limit: limit + 1 });
  return toListing(await withAddresses(database(), projectId, rows), limit, (row) =>
    presentAlert(row, maySeeSecrets(caller)),
  );
}

/** Reads an alert of a project. @throws AppError not_found */
export async function getAlert(caller: PersonCaller, path: AlertPath): Promise<Alert> {
  return presentAlert(await getAlertRow(database(), path), maySeeSecrets(caller));
}

type AddressedAlert = AlertRow & { address: string | null };

/** Reads the row of an alert, and the address that it tells. @throws AppError not_found */
export async function getAlertRow(sql: Sql, { projectId, alertId }: AlertPath): Promise<AddressedAlert> {
  const rows = await findAlert.all(sql, { project: projectId, alert: alertId });
  const [row] = await withAddresses(sql, projectId, rows);
  if (row === undefined) throw notFound('alert');
  return row;
}

/** Converts a row to an alert of the API, with its target or without. */
function presentAlert(row: AddressedAlert, showsTarget: boolean): Alert {
  const { target_encrypted: sealed, address } = row;
  const target = sealed === null ? address : showsTarget ? tryOpenAlertTarget(sealed, row.id) : REDACTED;
  return presentWith(inCamelCase(row), target === null || showsTarget ? target : REDACTED);
}

type Times = 'mutedUntil' | 'lastSentAt' | 'createdAt' | 'updatedAt';
interface ShownAlert extends Omit<Alert, 'target' | 'lastFired' | 'triggers' | Times> {
  triggers: Alert['triggers'] | null;
  address: string | null;
  firedAt: AlertRow['fired_at'];
  mutedUntil: Date | null;
  lastSentAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Converts a row to an alert of the API. A worker disables one whose person has left; until then it counts as disabled already. */
export function presentWith(row: ShownAlert, target: string | null): Alert {
  const triggers = row.triggers ?? [];
  const hasLeft = row.kind === 'EMAIL' && row.address === null;
  return present(Alert, {
    ...row,
    ...(hasLeft ? { enabled: false, disabledReason: 'member_left' } : {}),
    target,
    triggers: ALERT_TRIGGERS.filter((trigger) => triggers.includes(trigger)),
    lastFired: ALERT_TRIGGERS.flatMap((trigger) => {
      const firedAt = row.firedAt[trigger];
      return firedAt === undefined ? [] : [{ trigger, firedAt }];
    }),
  });
}

/**
 * Creates an alert of a project.
 * @throws AppError limit_reached; not_found when the project is deleted; validation_failed for a target that is no address of a member,
 *   and for a URL of this service
 */
export async function createAlert(
  caller: PersonCaller,
  projectId: string,
  { target, mutedUntil = null, ...body }: CreateAlertBody,
): Promise<CreatedAlert> {
  const ownerId = await ownerOfProject(projectId);
  const secret = body.kind === 'WEBHOOK' ? makeEndpointSecret() : null;
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    await requireRole(tx, caller, 'alert.manage');
    refuseBeyondLimit('PROJECT_MAX_ALERTS', await tx.prisma.alert.count({ where: { projectId } }));
    const id = newId();
    // Not `create`, which returns the row: Citus refuses the cast of its triggers.
    await tx.prisma.alert.createMany({
      data: {
        id,
        projectId,
        ownerId,
        mutedUntil,
        ...body,
        ...(await targetColumns(tx, projectId, body.kind, target)),
        secretEncrypted: secret === null ? null : sealEndpointSecret(secret),
      },
    });
    const row = await getAlertRow(tx, { projectId, alertId: id });
    await auditChange(tx, caller, 'alert.created', id, { projectId, targetName: row.name, kind: row.kind });
    return { ...presentAlert(row, true), ...(secret === null ? {} : { secret }) };
  });
}

/** @throws AppError validation_failed for a target that its kind does not have */
async function targetColumns(tx: Sql, projectId: string, kind: AlertKind, given: string) {
  const { success, data, error } = TARGETS[kind].safeParse(given);
  if (!success) throw fieldError('target', error.issues[0]?.message ?? 'is invalid');
  if (kind === 'EMAIL') {
    const member = await findMemberByAddress.first(tx, { project: projectId, email: data });
    if (member === undefined) throw fieldError('target', 'must be the address of a member of the organization');
    return { userId: member.id, targetEncrypted: null };
  }
  const fault = ownUrlFault(addressOf(data));
  if (fault !== null) throw fieldError('target', fault);
  return { userId: null, targetEncrypted: sealAlertTarget(data) };
}

/**
 * Changes the given fields of an alert. One that is disabled forgets what it noticed: enabled again, it says what goes on then.
 * @throws AppError not_found; validation_failed as `createAlert`; conflict when it is enabled and its person is not a member
 */
export async function updateAlert(caller: PersonCaller, path: AlertPath, body: UpdateAlertBody): Promise<Alert> {
  const { projectId, alertId } = path;
  const { target, ...fields } = body;
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    await requireRole(tx, caller, 'alert.manage');
    const row = await getAlertRow(tx, path);
    const before = presentAlert(row, true);
    const names = Object.keys(body);
    if (names.length === 0) return before;
    const data = {
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      ...(target === undefined ? {} : await targetColumns(tx, projectId, row.kind, target)),
      ...(body.enabled === undefined ? {} : { disabledReason: null }),
      ...(body.enabled === true && !row.enabled ? { nextCheckAt: new Date() } : {}),
    };
    const { count } = await tx.prisma.alert.updateMany({ where: { id: alertId, projectId }, data });
    if (count === 0) await refuseIfMoved(tx, projectId);
    if (body.enabled === false && row.enabled) await forget(tx, path);
    if (body.mutedUntil !== undefined) await wakeMessages.run(tx, { project: projectId, alert: alertId });
    const after = presentAlert(await getAlertRow(tx, path), true);
    if (body.enabled === true && !after.enabled) {
      throw new AppError('conflict', 'The person of this alert is not a member anymore. Choose another target.');
    }
    const changes = changedFields(before, after, names, ['target']);
    if (changes !== null) {
      await auditChange(tx, caller, 'alert.updated', alertId, { projectId, targetName: after.name, changes });
    }
    return after;
  });
}

async function forget(tx: Sql, { projectId, alertId }: AlertPath): Promise<void> {
  for (const statement of forgetIncidents) await statement.run(tx, { project: projectId, alert: alertId });
}

/** Deletes an alert with its messages. @throws AppError not_found */
export async function deleteAlert(caller: PersonCaller, path: AlertPath): Promise<void> {
  const { projectId, alertId } = path;
  await inTransaction(async (tx) => {
    await requireRole(tx, caller, 'alert.manage');
    const { name } = await getAlertRow(tx, path);
    const { count } = await tx.prisma.alert.deleteMany({ where: { id: alertId, projectId } });
    if (count === 0) {
      await refuseIfMoved(tx, projectId);
      throw notFound('alert');
    }
    await auditChange(tx, caller, 'alert.deleted', alertId, { projectId, targetName: name });
  });
}

/** Reads the signing secret of a webhook in plain text and audits that. @throws AppError not_found, also for another kind */
export async function revealSecret(caller: PersonCaller, path: AlertPath, at: Date): Promise<EndpointSecret> {
  const { projectId, alertId } = path;
  return inTransaction(async (tx) => {
    const row = await findWebhook(tx, path);
    await auditChange(tx, caller, 'alert.secret_revealed', alertId, { projectId });
    return {
      secret: openEndpointSecret(row.secretEncrypted),
      previousSecretExpiresAt: unexpired(row.previousSecretExpiresAt, at),
    };
  });
}

async function findWebhook(tx: Transaction, { projectId, alertId }: AlertPath) {
  const row = await tx.prisma.alert.findFirst({
    where: { id: alertId, projectId },
    select: { secretEncrypted: true, previousSecretExpiresAt: true },
  });
  if (row === null) throw notFound('alert');
  const { secretEncrypted } = row;
  if (secretEncrypted === null) throw notFound('secret');
  return { ...row, secretEncrypted };
}

/**
 * Gives a webhook a new signing secret. The old one remains valid for the grace period.
 * @throws AppError not_found, also for another kind; rate_limited when many rotations wait
 */
export async function rotateSecret(
  caller: PersonCaller,
  path: AlertPath,
  { gracePeriodHours }: RotateSecretBody,
  at: Date,
): Promise<EndpointSecret> {
  const { projectId, alertId } = path;
  const secret = makeEndpointSecret();
  const expiresAt = addMs(at, gracePeriodHours * HOUR_MS);
  return inRowTurn(alertId, () =>
    inTransaction(async (tx) => {
      await findWebhook(tx, path);
      const sealed = sealEndpointSecret(secret);
      const of = { project: projectId, alert: alertId };
      const count = await replaceAlertSecret.run(tx, { ...of, secret: sealed, expiresAt });
      if (count === 0) {
        await refuseIfMoved(tx, projectId);
        throw notFound('alert');
      }
      await auditChange(tx, caller, 'alert.secret_rotated', alertId, { projectId, gracePeriodHours });
      return { secret, previousSecretExpiresAt: unexpired(expiresAt, at) };
    }),
  );
}
