import { setImmediate } from 'node:timers/promises';
import { recordAudit } from '@/lib/audit/record-audit';
import { currentSearchPath } from '@/lib/platform/cells/current-cell';
import { SECOND_MS } from '@/lib/platform/clock';
import { hotDatabaseOfAllTables, inSqlTransaction, type Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { Pace } from '@/lib/platform/pace';
import { withAddresses } from './addresses';
import {
  type DueAlert,
  deleteIncidents,
  disableAlert,
  insertIncidents,
  lockAlert,
  noteFired,
  releaseAlerts,
  selectDueAlerts,
  selectIncidents,
  selectNextDue,
  takeAlerts,
} from './alerts-sql';
import { type Change, describeSubjects, findChanges, type Noticed, type Subject } from './conditions';
import { selectLastErrors } from './conditions-sql';
import { type AlertName, type Draft, describeChange, describeDigest, type LastError } from './describe';
import { countHeld, countMessages, deleteOldMessages, findKept, takeHeld } from './messages-sql';
import { holdMessages, storeMessages } from './store-messages';
import { ALERT_TRIGGERS, type AlertTrigger, MAX_HELD, MESSAGES_PER_HOUR } from './triggers-policy';

const CHECK_SECONDS = 30;
/** Of a project that is being deleted. */
const DELETED_SECONDS = 3_600;
/** The texts that a digest has. */
const DIGEST_TEXTS = 10;
/** Changes that are described at once: each may have 2 KB. */
const DESCRIBED_AT_ONCE = 50;

/** The triggers that also tell of the end. That of a failing endpoint is a trigger of its own. */
const TELLS_END: readonly AlertTrigger[] = ['ENDPOINT_RECOVERED', 'BACKLOG', 'SOURCE_REJECTING'];
/** The trigger that is silent until the end. */
const SILENT_AT_FIRST: AlertTrigger = 'ENDPOINT_RECOVERED';

/** The milliseconds that the checks of an owner may take in a process: a quarter of its time, and two seconds at once. */
const OWNER_PACE = new Pace({ perSecond: 250, burst: 2_000, mostOwed: 5_000 }, () => false);
/** When the rest of an owner ends, by performance.now(). */
const restUntil = new Map<string, number>();
/** Alerts of others may become due while one owner rests. */
const LONGEST_WAIT_MS = SECOND_MS;

/** The owner who had the last turn, by the cell. */
const lastOwners = new Map<string, string>();

/**
 * Checks some due alerts: owners take turns, and rest after checks that took more than their share. Several workers may run it at once, and
 * each alert is checked by one. A check that fails, or kills its worker, is made again at the alert's next time.
 * @returns the milliseconds until an alert is due, or an owner has rested; null when there is none
 */
export async function checkAlerts(pace = OWNER_PACE): Promise<number | null> {
  // They run every 30 seconds for each alert, and PostgreSQL takes longer to plan these statements than to run them.
  const pool = hotDatabaseOfAllTables();
  const cell = currentSearchPath();
  const resting = restingOwners();
  const inTurn = await takeDueAlerts(pool, lastOwners.get(cell) ?? null, resting);
  const last = inTurn.at(-1);
  if (last !== undefined) lastOwners.set(cell, last.owner_id);
  const left: string[] = [];
  for (const alert of inTurn) {
    // An earlier check of this round may have used up the share of its owner.
    if (restUntil.has(alert.owner_id)) {
      left.push(alert.id);
      continue;
    }
    let startedMs = performance.now();
    try {
      await inSqlTransaction(
        async (tx) => {
          // Without the wait for a connection.
          startedMs = performance.now();
          if ((await lockAlert.run(tx, { alert: alert.id, next: alert.next_check_at })) === 0) return;
          for (const addressed of await withAddresses(tx, alert.project_id, [alert])) await checkAlert(tx, addressed);
        },
        { pool },
      );
    } catch (error) {
      log().warn({ err: error, alertId: alert.id }, 'alert could not be checked; trying again later');
    }
    const restMs = pace.restAfter(alert.owner_id, performance.now() - startedMs);
    if (restMs > 0) restUntil.set(alert.owner_id, performance.now() + restMs);
  }
  if (left.length > 0) await releaseAlerts.run(pool, { alerts: left });
  const { in_ms } = await selectNextDue.one(pool);
  if (in_ms === null) return null;
  // What is due now belongs to owners who rest, or other workers check it.
  const waitMs = inTurn.length === 0 && resting.length > 0 ? LONGEST_WAIT_MS : 0;
  return Math.max(waitMs, in_ms);
}

/** Returns the owners that rest, and forgets those that have. */
function restingOwners(): string[] {
  const nowMs = performance.now();
  for (const [owner, untilMs] of restUntil) if (untilMs <= nowMs) restUntil.delete(owner);
  return [...restUntil.keys()];
}

type AddressedAlert = DueAlert & { address: string | null };

/** Takes alerts that are due, in turns of their owners, beginning with those who follow one by id, without those who rest. */
async function takeDueAlerts(pool: Sql, after: string | null, resting: string[]): Promise<DueAlert[]> {
  const alerts = (await selectDueAlerts.all(pool, { after, resting })).flatMap(({ id }) => id ?? []);
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
  const news = await noteChanges(tx, alert);
  const room = await findRoom(tx, alert, digest.length + news.length);
  const drafts = [...digest, ...(await describeNews(tx, alert, news, room.now + room.later - digest.length))];
  await say(tx, alert, drafts, room);
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
async function noteChanges(tx: Sql, alert: DueAlert): Promise<News<Noticed>[]> {
  const path = { project: alert.project_id, alert: alert.id };
  const triggers = alert.triggers ?? [];
  const incidents = await selectIncidents.all(tx, { ...path, triggers: [...ALERT_TRIGGERS] });
  await setImmediate();
  const changes = await findChanges(tx, alert.project_id, triggers, incidents);
  const unasked = incidents.filter(({ trigger }) => !triggers.includes(trigger));
  const ended = changes.flatMap((change) => change.ended.map(({ incident }) => incident));
  const over = [...ended, ...changes.flatMap(({ forgotten }) => forgotten), ...unasked];
  if (over.length > 0) {
    await deleteIncidents.run(tx, { project: alert.project_id, ids: over.map(({ id }) => id) });
  }
  return (await noteBegun(tx, path, changes)).flatMap(newsOf);
}

/** Describes news in pieces, so that others have the thread between them. @param most how many there is room for */
async function describeNews(tx: Sql, alert: DueAlert, news: readonly News<Noticed>[], most: number): Promise<Draft[]> {
  const described: News<Subject>[] = [];
  const told = news.slice(0, most);
  for (let at = 0; at < told.length; at += DESCRIBED_AT_ONCE) {
    described.push(...(await describeSubjects(tx, alert.project_id, told.slice(at, at + DESCRIBED_AT_ONCE))));
    await setImmediate();
  }
  const triggers = new Set([...described, ...news.slice(most)].map(({ trigger }) => trigger));
  if (triggers.size === 0) return [];
  await noteFired.run(tx, { project: alert.project_id, alert: alert.id, triggers: [...triggers] });
  const errors = await readLastErrors(tx, alert.project_id, described);
  const drafts: Draft[] = [];
  for (const { trigger, kind, subject } of described) {
    const error = kind === 'BEGAN' ? errors.get(subject.id) : undefined;
    drafts.push(describeChange(nameOf(alert), trigger, kind, subject, error));
    if (drafts.length % DESCRIBED_AT_ONCE === 0) await setImmediate();
  }
  return drafts;
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

interface News<S extends Noticed> {
  trigger: AlertTrigger;
  kind: 'BEGAN' | 'ENDED';
  subject: S;
}

function newsOf({ trigger, began, ended }: Change): News<Noticed>[] {
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
async function readLastErrors(
  tx: Sql,
  project: string,
  news: readonly News<Noticed>[],
): Promise<Map<string | null, LastError>> {
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

/** The messages that an alert may still have: in its hour, and for the digest of that. */
interface Room {
  now: number;
  later: number;
}

/** @param count how many there are to be */
async function findRoom(tx: Sql, alert: DueAlert, count: number): Promise<Room> {
  const now = Math.max(0, MESSAGES_PER_HOUR - (startsHour(alert) ? 0 : alert.hour_count));
  if (count <= now) return { now, later: 0 };
  const { held } = await countHeld.one(tx, { project: alert.project_id, alert: alert.id });
  return { now, later: MAX_HELD - (held ?? 0) };
}

const startsHour = (alert: DueAlert) => alert.is_in_hour !== true;

/** Stores what is said now, and holds what is beyond the messages of an hour, as far as there is room for it. */
async function say(tx: Sql, alert: AddressedAlert, drafts: readonly Draft[], room: Room): Promise<void> {
  if (drafts.length === 0) return;
  const now = drafts.slice(0, room.now);
  const { id, project_id: projectId, owner_id: ownerId, kind, user_id: userId, address } = alert;
  const receiver = { id, projectId, ownerId, kind, userId, address };
  const stored = await storeMessages(tx, receiver, now);
  await holdMessages(tx, receiver, drafts.slice(room.now, room.now + room.later));
  const isSent = stored.some(({ status }) => status === 'SENT');
  await countMessages.run(tx, { project: projectId, alert: id, starts: startsHour(alert), count: now.length, isSent });
}
