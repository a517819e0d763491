import type { PersonCaller } from '@/lib/audit/caller';
import { getProject } from '@/lib/orgs/projects';
import { refuseIfMoved } from '@/lib/orgs/tenant';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { inCamelCase, present } from '@/lib/platform/present';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { HIGHEST_ID } from '@/lib/platform/sql/bounded-scan';
import { type AlertPath, getAlertRow } from './alerts';
import { describeTest } from './describe';
import { countMessages, type MessageRow, selectHourLeft, selectMessages, takePlace } from './messages-sql';
import { AlertMessage } from './schema';
import { storeMessages } from './store-messages';
import { MESSAGES_PER_HOUR } from './triggers-policy';

/** Lists the messages of an alert, newest first: the last 100 that were sent or given up, and those that wait. */
export async function listMessages(
  path: AlertPath,
  { cursor = HIGHEST_ID, limit }: Page,
): Promise<Listing<AlertMessage>> {
  await getAlertRow(database(), path);
  const of = { project: path.projectId, alert: path.alertId };
  const rows = await selectMessages.all(database(), { ...of, before: cursor, limit: limit + 1 });
  return toListing(rows, limit, presentMessage);
}

const presentMessage = (row: MessageRow): AlertMessage => present(AlertMessage, inCamelCase(row));

/**
 * Sends a test of an alert, also of a disabled or muted one. Workers send those of webhooks and Slack within seconds.
 * @throws AppError not_found; rate_limited when the alert has as many messages in this hour as it may; conflict when its person is
 *   not a member anymore
 */
export async function testAlert(caller: PersonCaller, path: AlertPath): Promise<AlertMessage> {
  const { projectId, alertId: id } = path;
  const { name: projectName } = await getProject(caller, projectId);
  return inTransaction(async (tx) => {
    const of = { project: projectId, alert: id };
    const { kind, name, address } = await getAlertRow(tx, path);
    if (kind === 'EMAIL' && address === null) {
      throw new AppError('conflict', 'The person of this alert is not a member anymore. Choose another target.');
    }
    if ((await takePlace.first(tx, { ...of, most: MESSAGES_PER_HOUR })) === undefined) {
      await refuseIfMoved(tx, projectId);
      const { seconds } = await selectHourLeft.one(tx, of);
      const detail = `An alert sends ${MESSAGES_PER_HOUR} messages in an hour, tests too.`;
      throw new AppError('rate_limited', detail, { retryAfterSeconds: Math.max(1, seconds ?? 1) });
    }
    const row = await tx.prisma.alert.findUniqueOrThrow({
      where: { id, projectId },
      select: { userId: true, ownerId: true },
    });
    const draft = describeTest({ id, name, projectId, projectName });
    const [stored] = await storeMessages(tx, { id, projectId, kind, ...row, address }, [draft]);
    if (stored?.status === 'SENT') await countMessages.run(tx, { ...of, starts: false, count: 0, isSent: true });
    return presentMessage(stored as MessageRow);
  });
}
