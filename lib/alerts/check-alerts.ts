import { recordAudit } from '@/lib/audit/record-audit';
import { currentSearchPath } from '@/lib/platform/cells/current-cell';
import { hotDatabaseOfAllTables, inSqlTransaction, type Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { withAddresses } from './addresses';
import {
  type DueAlert,
  deleteIncidents,
  disableAlert,
  insertIncidents,
  lockAlert,
  noteFired,
  selectDueAlerts,
  selectIncidents,
  selectNextDue,
  takeAlerts,
} from './alerts-sql';
import { type Change, describeSubjects, findChanges, type Noticed } from './conditions';
import { selectLastErrors } from './conditions-sql';
import { type AlertName, type Draft, describeChange, describeDigest, type LastError } from './describe';
import { countHeld, countMessages, deleteOldMessages, findKept, takeHeld } from './messages-sql';
import { storeMessages } from './store-messages';
import { ALERT_TRIGGERS, type AlertTrigger, MAX_HELD, MESSAGES_PER_HOUR } from './triggers-policy';

const CHECK_SECONDS = 30;
/** Of a project that is being deleted. */
const DELETED_SECONDS = 3_600;
/** The texts that a digest has. */
const DIGEST_TEXTS = 10;

/** The triggers that also tell of the end. That of a failing endpoint is a trigger of its own. */
const TELLS_END: readonly AlertTrigger[] = ['ENDPOINT_RECOVERED', 'BACKLOG', 'SOURCE_REJECTING'];
/** The trigger that is silent until the end. */
const SILENT_AT_FIRST: AlertTrigger = 'ENDPOINT_RECOVERED';

/** The owner who had the last turn, by the cell. */
const lastOwners = new Map<string, string>();

/**
 * Checks some due alerts: owners take turns. Several workers may run it at once, and each alert is checked by one. A check that fails, or
 * kills its worker, is made again at the alert's next time.
 * @returns the milliseconds until an alert is due; null when there is none
 */
export async function checkAlerts(): Promise<number | null> {
  // They run every 30 seconds for each alert, and PostgreSQL takes longer to plan these statements than to run them.
  const pool = hotDatabaseOfAllTables();
  const cell = currentSearchPath();
  const inTurn = await takeDueAlerts(pool, lastOwners.get(cell) ?? null);
  const last = inTurn.at(-1);
  if (last !== undefined) lastOwners.set(cell, last.owner_id);
  for (const alert of inTurn) {
    try {
      await inSqlTransaction(
        async (tx) => {
          if ((await lockAlert.run(tx, { alert: alert.id, next: alert.next_check_at })) === 0) return;
          for (const addressed of await withAddresses(tx, alert.project_id, [alert])) await checkAlert(tx, addressed);
        },
        { pool },
      );
    } catch (error) {
      log().warn({ err: error, alertId: alert.id }, 'alert could not be checked; trying again later');
    }
  }
  const { in_ms } = await selectNextDue.one(pool);
  return in_ms === null ? null : Math.max(0, in_ms);
}

type AddressedAlert = DueAlert & { address: string | null };

/** Takes alerts that are due, in turns of their owners, beginning with those who follow one by id. */
async function takeDueAlerts(pool: Sql, after: string | null): Promise<DueAlert[]> {
  const alerts = (await selectDueAlerts.all(pool, { after })).flatMap(({ id }) => id ?? []);
  if (alerts.length === 0) return [];
  const taken = await takeAlerts.all(pool, { alerts, seconds: CHECK_SECONDS, deletedSeconds: DELETED_SECONDS });
  return taken.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));
}

/** What began, what ended and what is said of it is one transaction: nothing is said twice or lost when a worker dies. */
async function checkAlert(tx: Sql, alert: AddressedAlert): Promise<void> {
  const path = { project: alert.project_id, alert: alert.id };
  if (alert.is_live !== true) return;
  if (alert.kind === 'EMAIL' && alert.address === null) {
    await disableAlert.run(tx, path);
    await recordAudit(tx, { type: 'system' }, 'alert.disabled', {
      organizationId: alert.organization_id,
      targetId: alert.id,
      details: { projectId: alert.project_id, targetName: alert.name, reason: 'member_left' },
    });
    return;
  }
  if (alert.is_muted === true) return;
  const kept = await findKept.one(tx, path);
  const digest = kept.has_held === true ? await findDigest(tx, alert) : [];
  const drafts = [...digest, ...(await noteChanges(tx, alert))];
  await say(tx, alert, drafts);
  if (drafts.length > 0 || kept.has_old === true) await deleteOldMessages.run(tx, path);
}

/** Returns the digest of the hour, once that is over: a test may have begun the next one. */
async function findDigest(tx: Sql, alert: DueAlert): Promise<Draft[]> {
  if (alert.is_in_hour === true && alert.hour_count >= MESSAGES_PER_HOUR) return [];
  const { count, texts } = await takeHeld.one(tx, { project: alert.project_id, alert: alert.id, most: DIGEST_TEXTS });
  return count === null || count === 0 ? [] : [describeDigest(nameOf(alert), count, texts ?? [])];
}

const nameOf = ({ id, name, project_id: projectId, project_name: projectName }: DueAlert): AlertName => ({
  id,
  name,
  projectId,
  projectName,
});

/** Notes what began and ended, and returns what there is to say. */
async function noteChanges(tx: Sql, alert: DueAlert): Promise<Draft[]> {
  const path = { project: alert.project_id, alert: alert.id };
  const triggers = alert.triggers ?? [];
  const incidents = await selectIncidents.all(tx, { ...path, triggers: [...ALERT_TRIGGERS] });
  const changes = await findChanges(tx, alert.project_id, triggers, incidents);
  const unasked = incidents.filter(({ trigger }) => !triggers.includes(trigger));
  const ended = changes.flatMap((change) => change.ended.map(({ incident }) => incident));
  const over = [...ended, ...changes.flatMap(({ forgotten }) => forgotten), ...unasked];
  if (over.length > 0) {
    await deleteIncidents.run(tx, { project: alert.project_id, ids: over.map(({ id }) => id) });
  }
  const changed = (await noteBegun(tx, path, changes)).flatMap(newsOf);
  const news = changed.length === 0 ? [] : await describeSubjects(tx, alert.project_id, changed);
  if (news.length === 0) return [];
  await noteFired.run(tx, { ...path, triggers: [...new Set(news.map(({ trigger }) => trigger))] });
  const errors = await readLastErrors(tx, alert.project_id, news);
  return news.map(({ trigger, kind, subject }) =>
    describeChange(nameOf(alert), trigger, kind, subject, kind === 'BEGAN' ? errors.get(subject.id) : undefined),
  );
}

/** Notes what began. @returns the changes, without what there was no room for */
async function noteBegun(tx: Sql, path: { project: string; alert: string }, changes: Change[]): Promise<Change[]> {
  const began = changes.flatMap(({ trigger, began: subjects }) => subjects.map(({ id }) => ({ trigger, id })));
  if (began.length === 0) return changes;
  const noted = await insertIncidents.all(tx, {
    ...path,
    ids: began.map(() => newId()),
    triggers: began.map(({ trigger }) => trigger),
    subjects: began.map(({ id }) => id),
  });
  const keys = new Set(noted.map(({ trigger, subject_id: id }) => `${trigger} ${id}`));
  return changes.map((change) => ({
    ...change,
    began: change.began.filter(({ id }) => keys.has(`${change.trigger} ${id}`)),
  }));
}

interface News {
  trigger: AlertTrigger;
  kind: 'BEGAN' | 'ENDED';
  subject: Noticed;
}

function newsOf({ trigger, began, ended }: Change): News[] {
  const ends = TELLS_END.includes(trigger)
    ? ended.flatMap(({ subject, isRight }) =>
        isRight && subject !== null ? [{ trigger, kind: 'ENDED' as const, subject }] : [],
      )
    : [];
  const begins =
    trigger === SILENT_AT_FIRST ? [] : began.map((subject) => ({ trigger, kind: 'BEGAN' as const, subject }));
  return [...ends, ...begins];
}

/** Reads the last errors of the endpoints that are told of first: the others go into a digest. */
async function readLastErrors(tx: Sql, project: string, news: readonly News[]): Promise<Map<string | null, LastError>> {
  const endpoints = news
    .slice(0, MESSAGES_PER_HOUR)
    .flatMap(({ subject, kind }) => (subject.kind === 'endpoint' && kind === 'BEGAN' ? [subject.id] : []));
  if (endpoints.length === 0) return new Map();
  const rows = await selectLastErrors.all(tx, { project, endpoints: [...new Set(endpoints)] });
  return new Map(
    rows.map((row) => [
      row.endpoint_id,
      { deliveryId: row.delivery_id, eventType: row.event_type, error: row.last_error },
    ]),
  );
}

/** Stores what is said now, and holds what is beyond the messages of an hour, as far as there is room for it. */
async function say(tx: Sql, alert: AddressedAlert, drafts: readonly Draft[]): Promise<void> {
  if (drafts.length === 0) return;
  const starts = alert.is_in_hour !== true;
  const places = Math.max(0, MESSAGES_PER_HOUR - (starts ? 0 : alert.hour_count));
  const now = drafts.slice(0, places);
  const beyond = drafts.slice(places);
  const { held } =
    beyond.length === 0 ? { held: 0 } : await countHeld.one(tx, { project: alert.project_id, alert: alert.id });
  const { id, project_id: projectId, owner_id: ownerId, kind, user_id: userId, address } = alert;
  const receiver = { id, projectId, ownerId, kind, userId, address };
  const stored = await storeMessages(tx, receiver, now, beyond.slice(0, MAX_HELD - (held ?? 0)));
  const isSent = stored.some(({ status }) => status === 'SENT');
  await countMessages.run(tx, { project: projectId, alert: id, starts, count: now.length, isSent });
}
