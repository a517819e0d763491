import { config } from '@/lib/platform/config/config';
import type { Subject } from './conditions';
import type { AlertMessageKind } from './schema';
import { type AlertTrigger, MAX_HELD, TRIGGER_WORDS } from './triggers-policy';

/** A message before it is stored. */
export interface Draft {
  kind: AlertMessageKind;
  trigger: AlertTrigger | null;
  /** One sentence. */
  text: string;
  /** Ids, names, times and errors; never a payload. */
  data: Record<string, unknown>;
}

/** The alert that says it. */
export interface AlertName {
  id: string;
  name: string;
  projectId: string;
  projectName: string;
}

/** The last error of an endpoint. */
export interface LastError {
  deliveryId: string;
  eventType: string | null;
  error: string | null;
}

type SubjectKind = Subject['kind'];
const PAGES: Readonly<Record<SubjectKind, string>> = {
  endpoint: 'endpoints',
  source: 'sources',
  eventType: 'event-types',
  apiKey: 'keys',
};
/** What the time of a subject says. */
const TIMES: Readonly<Record<SubjectKind, string>> = {
  endpoint: 'since',
  source: 'since',
  eventType: 'lastAt',
  apiKey: 'expiresAt',
};

/** Describes what began or ended. */
export function describeChange(
  alert: AlertName,
  trigger: AlertTrigger,
  kind: 'BEGAN' | 'ENDED',
  subject: Subject,
  lastError: LastError | undefined,
): Draft {
  const customer = subject.customerUid === null ? '' : ` of customer ${subject.customerUid}`;
  const { deliveryId = null, eventType = null, error = null } = lastError ?? {};
  return {
    kind,
    trigger,
    text: sentenceOf(trigger, kind, `${subject.name}${customer}`, subject),
    data: {
      ...ofAlert(alert),
      trigger,
      state: kind,
      [`${subject.kind}Id`]: subject.id,
      name: subject.name,
      ...(subject.kind === 'endpoint'
        ? {
            customerId: subject.customerId,
            customerUid: subject.customerUid,
            deliveryId,
            eventType,
            lastError: error,
          }
        : {}),
      ...(subject.kind === 'eventType' ? { eventType: subject.name } : {}),
      [TIMES[subject.kind]]: subject.at?.toISOString() ?? null,
      link: `${linkOf(alert)}/${PAGES[subject.kind]}/${subject.kind === 'eventType' ? subject.name : subject.id}`,
    },
  };
}

/** Describes the messages of an hour beyond those that it may have. @param count those that were held @param texts the first of them */
export function describeDigest(alert: AlertName, count: number, texts: readonly string[]): Draft {
  const more = count < MAX_HELD ? `${count} more` : `${count.toLocaleString('en-US')} or more further`;
  return {
    kind: 'DIGEST',
    trigger: null,
    text: `${more} ${count === 1 ? 'message' : 'messages'} in the last hour.`,
    data: { ...ofAlert(alert), count, messages: [...texts], link: linkOf(alert) },
  };
}

/** Describes a test of an alert. */
export function describeTest(alert: AlertName): Draft {
  return {
    kind: 'TEST',
    trigger: null,
    text: `This is a test of the alert “${alert.name}”. Nothing has happened.`,
    data: { ...ofAlert(alert), link: `${linkOf(alert)}/alerts` },
  };
}

const ofAlert = ({ id, name, projectId, projectName }: AlertName) => ({
  alertId: id,
  alertName: name,
  projectId,
  projectName,
});

const linkOf = ({ projectId }: AlertName) => `${config().baseUrl}/projects/${projectId}`;

function sentenceOf(
  trigger: AlertTrigger,
  kind: 'BEGAN' | 'ENDED',
  name: string,
  { at, disabledReason }: Subject,
): string {
  const since = at === null ? '' : ` since ${showTime(at)}`;
  switch (trigger) {
    case 'ENDPOINT_FAILING':
      return `Every attempt to ${name} has failed${since}.`;
    case 'ENDPOINT_DISABLED':
      return `We stopped sending to ${name}: ${
        disabledReason === 'gone' ? 'it answered 410 Gone' : 'every attempt in the last 120 hours failed'
      }.`;
    case 'ENDPOINT_RECOVERED':
      return `${name} accepts deliveries again.`;
    case 'DELIVERIES_EXHAUSTED':
      return `A delivery to ${name} has failed for good: it has no more retries.`;
    case 'BACKLOG':
      return kind === 'BEGAN'
        ? `Deliveries to ${name} wait: the oldest has been due${since}.`
        : `Deliveries to ${name} have caught up.`;
    case 'SOURCE_REJECTING':
      return kind === 'BEGAN'
        ? `The source ${name} refuses requests, and has accepted none in 10 minutes.`
        : `The source ${name} accepts requests again.`;
    case 'SCHEMA_MISMATCH':
      return `Events of type ${name} differ from its schema${at === null ? '' : `: the last one at ${showTime(at)}`}.`;
    case 'KEY_EXPIRING':
      return `The API key ${name} expires${at === null ? '' : ` at ${showTime(at)}`}.`;
  }
}

const showTime = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Returns the lines that a message to people has after its sentence. */
export function detailsOf({ lastError, eventType, name }: Draft['data']): string[] {
  return [
    ...(typeof lastError === 'string' ? [`Last error: ${lastError}`] : []),
    ...(typeof eventType === 'string' && eventType !== name ? [`Event type: ${eventType}`] : []),
  ];
}

/** Returns what a mail has as its subject, and a webhook as its type. */
export function titleOf({ kind, trigger, data }: Draft): { subject: string; type: string } {
  const project = typeof data.projectName === 'string' ? data.projectName : '';
  if (trigger === null) {
    const subject = kind === 'DIGEST' ? 'More alerts' : 'Test of an alert';
    return { subject: `${subject} in ${project}`, type: `alert.${kind.toLowerCase()}` };
  }
  const end = kind === 'ENDED' && trigger !== 'ENDPOINT_RECOVERED' ? ', over' : '';
  return { subject: `${TRIGGER_WORDS[trigger].label}${end} in ${project}`, type: `alert.${trigger.toLowerCase()}` };
}
