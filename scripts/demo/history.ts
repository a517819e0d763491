import { randomBytes } from 'node:crypto';
import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import { keptFilter, toFilteredEvent } from '@/lib/delivery/filters/filter';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { newIdAt } from '@/lib/platform/ids';
import { expiryCutoff, type RetentionPolicy } from '@/lib/retention/retention-policy';
import { pickCustomer } from './customers';
import { EVENT_TYPES, matchesPattern, pickType } from './event-types';
import { pick, type Random, skewed } from './random';
import type { Answer, Receiver } from './receivers';

export const HISTORY_DAYS = 30;
/** Events of a whole working day: those of the shop itself, and those of its customers. */
const EVENTS_PER_DAY = 320;
const CUSTOMER_EVENTS_PER_DAY = 140;
/** The share of each hour of the day in UTC: quiet nights, a peak at noon and one in the evening. */
const HOURS = [2, 1, 1, 1, 1, 2, 4, 7, 10, 12, 13, 14, 13, 12, 12, 12, 11, 11, 12, 13, 12, 9, 6, 3];
const HOURS_SUM = HOURS.reduce((sum, share) => sum + share, 0);

export interface EventRow {
  id: string;
  type: string;
  payload: string;
  /** The uid of its customer; null for an event of the shop itself. */
  customer: string | null;
  at: Date;
}

/** A delivery of an event to an endpoint, or of an incoming event to a destination. */
export interface DeliveryRow {
  id: string;
  sourceId: string;
  targetId: string;
  /** The customer of its endpoint. */
  customerId: string | null;
  isForward: boolean;
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  nextAt: Date | null;
  attempts: AttemptRow[];
}

export interface AttemptRow {
  number: number;
  at: Date;
  answer: Answer;
}

/** An endpoint of the demo with the receiver behind it. */
export interface HistoryTarget {
  id: string;
  receiver: Receiver;
  /** Null for an endpoint of the shop itself. */
  customerId: string | null;
}

/** Returns the times of what happens about so often a working day, within the last 30 days, oldest first. */
export function makeTimes(random: Random, now: Date, perDay: number): Date[] {
  const times: number[] = [];
  const start = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - HISTORY_DAYS * DAY_MS;
  for (let hour = start; hour < now.getTime(); hour += HOUR_MS) {
    const at = new Date(hour);
    const isWeekend = at.getUTCDay() === 0 || at.getUTCDay() === 6;
    // The shop grows by a third in the month.
    const growth = 0.75 + (hour - start) / (HISTORY_DAYS * DAY_MS) / 4;
    const expected = (perDay * (HOURS[at.getUTCHours()] ?? 0) * growth * (isWeekend ? 0.45 : 1)) / HOURS_SUM;
    const count = Math.floor(expected * (0.8 + random() * 0.4) + random());
    for (let n = 0; n < count; n++) times.push(hour + Math.floor(random() * HOUR_MS));
  }
  return times
    .filter((time) => time < now.getTime() - MINUTE_MS)
    .sort((a, b) => a - b)
    .map((time) => new Date(time));
}

/** Makes the events of 30 days, oldest first. */
export function makeEvents(random: Random, now: Date): EventRow[] {
  const own = makeTimes(random, now, EVENTS_PER_DAY).map((at) => makeEvent(random, at, null));
  const ofCustomers = makeTimes(random, now, CUSTOMER_EVENTS_PER_DAY).map((at) =>
    makeEvent(random, at, pickCustomer(random)),
  );
  return [...own, ...ofCustomers].sort((a, b) => a.at.getTime() - b.at.getTime());
}

function makeEvent(random: Random, at: Date, customer: string | null): EventRow {
  const type = pickType(random);
  return { id: newIdAt(at), type, payload: JSON.stringify(EVENT_TYPES[type]?.makeData(random)), customer, at };
}

/** Makes the deliveries of an event to the endpoints that were enabled then, and wanted it. */
export function makeDeliveries(
  random: Random,
  event: EventRow,
  targets: readonly HistoryTarget[],
  now: Date,
): DeliveryRow[] {
  const msAgo = now.getTime() - event.at.getTime();
  const isOff = ({ health, changedMsAgo }: Receiver) =>
    (health === 'disabled' || health === 'paused') && msAgo < changedMsAgo;
  return targets
    .filter(({ receiver }) => !isOff(receiver) && wants(receiver, event))
    .map(({ id, receiver, customerId }) => ({
      id: deliveryIdOf(event.id, id),
      sourceId: event.id,
      targetId: id,
      customerId,
      isForward: false,
      ...makeAttempts(random, event.at, receiver, now),
    }));
}

/** Whether a receiver gets an event: by its customer, its subscriptions and its filter. */
function wants({ customer, types, options = {} }: Receiver, event: EventRow): boolean {
  const isOwn = customer === undefined;
  const isFor = isOwn ? event.customer === null || options.receivesCustomerEvents : customer === event.customer;
  if (!isFor || !types.some((type) => matchesPattern(type, event.type))) return false;
  const { filter } = options;
  return !filter || keptFilter(JSON.stringify(filter)).matches(toFilteredEvent(event.type, event.payload));
}

/** Makes the attempts of a delivery, as the engine would have made them by now. */
export function makeAttempts(
  random: Random,
  startAt: Date,
  { answer, retrySeconds }: Pick<Receiver, 'answer' | 'retrySeconds'>,
  now: Date,
): Pick<DeliveryRow, 'status' | 'nextAt' | 'attempts'> {
  const attempts: AttemptRow[] = [];
  let at = startAt.getTime() + skewed(random, 4, 60);
  for (let number = 1; number <= retrySeconds.length + 1; number++) {
    if (at > now.getTime() - MINUTE_MS) return { status: 'PENDING', nextAt: new Date(at + 2 * MINUTE_MS), attempts };
    const given = answer(random, now.getTime() - at);
    attempts.push({ number, at: new Date(at), answer: given });
    if (isSuccess(given)) return { status: 'SUCCEEDED', nextAt: null, attempts };
    if (given.status === 410) break;
    at += given.durationMs + (retrySeconds[number - 1] ?? 0) * SECOND_MS * (0.9 + random() * 0.2);
  }
  return { status: 'FAILED', nextAt: null, attempts };
}

/** Returns when an attempt was recorded. */
export function endOf({ at, answer }: AttemptRow): Date {
  return addMs(at, answer.durationMs);
}

function isSuccess({ status }: Answer): boolean {
  return status !== null && status < 300;
}

/** Returns the error of an attempt as the engine words it; null for a success. */
export function errorOf({ status }: Answer): string | null {
  if (status === null) return 'No response within 15 s';
  return status < 300 ? null : `Answered with status ${status}`;
}

/** Returns a signature of the right form. Its secret is not the endpoint's: nobody can send an old event again with it. */
export function makeSignature(): string {
  return `v1,${randomBytes(32).toString('base64')}`;
}

/** Returns a response body as receivers send it. */
export function bodyOf(random: Random, { status }: Answer): string | null {
  if (status === null) return null;
  if (status < 300) return '{"received":true}';
  if (status === 410) return '{"error":"This feed has been closed."}';
  if (status === 429) return '{"error":"Too many requests. Try again in a minute."}';
  return pick(random, [
    '{"error":"deadlock detected"}',
    '{"error":"upstream request timed out"}',
    '<html><head><title>Error</title></head><body><h1>Internal Server Error</h1></body></html>',
  ]);
}

/** Retention runs every few hours. Rows that expire this soon are left out as well, so that none is overdue while it waits. */
const MARGIN_MS = HOUR_MS;

/** Returns the time up to which retention has removed the rows of a class that it keeps for `days`. */
export function removedUntil(now: Date, days: number): Date {
  return addMs(expiryCutoff(now, days), MARGIN_MS);
}

/** Returns the attempts of a delivery that retention has left. Attempts end sooner than their delivery (docs/specification.md#retention). */
export function keptAttempts(attempts: readonly AttemptRow[], policy: RetentionPolicy, now: Date): AttemptRow[] {
  return attempts
    .slice(-policy.maxAttemptsPerDelivery)
    .filter((attempt) => endOf(attempt) > removedUntil(now, daysOf(attempt, policy)));
}

function daysOf({ answer }: AttemptRow, policy: RetentionPolicy): number {
  return isSuccess(answer) ? policy.succeededAttemptsDays : policy.failedAttemptsDays;
}
