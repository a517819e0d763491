/** What an alert can tell of, in the order in which it is offered. */
export const ALERT_TRIGGERS = [
  'ENDPOINT_FAILING',
  'ENDPOINT_DISABLED',
  'ENDPOINT_RECOVERED',
  'DELIVERIES_EXHAUSTED',
  'BACKLOG',
  'SOURCE_REJECTING',
  'SCHEMA_MISMATCH',
  'KEY_EXPIRING',
] as const;
export type AlertTrigger = (typeof ALERT_TRIGGERS)[number];

export const FAILING_MINUTES = 30;
export const BACKLOG_MINUTES = 5;
export const REJECTED_REQUESTS = 10;
export const REJECTING_MINUTES = 10;
export const MISMATCH_MINUTES = 10;
/** Without an event that differs for this long, the mismatch of a type is over. */
export const MATCHING_MINUTES = 60;
export const EXPIRING_DAYS = 7;

/** The name of each trigger, and what it means in a sentence. */
export const TRIGGER_WORDS: Readonly<Record<AlertTrigger, { label: string; meaning: string }>> = {
  ENDPOINT_FAILING: {
    label: 'Endpoint failing',
    meaning: `For ${FAILING_MINUTES} minutes, every attempt to an endpoint has failed.`,
  },
  ENDPOINT_DISABLED: {
    label: 'Endpoint disabled',
    meaning: 'The service has disabled an endpoint, after 120 hours of failures or because it answered 410 Gone.',
  },
  ENDPOINT_RECOVERED: {
    label: 'Endpoint recovered',
    meaning: 'An endpoint that was failing or disabled accepts deliveries again.',
  },
  DELIVERIES_EXHAUSTED: {
    label: 'Deliveries exhausted',
    meaning: 'A delivery to an endpoint has failed for good: it has no more retries.',
  },
  BACKLOG: {
    label: 'Backlog',
    meaning: `Deliveries to an endpoint wait, the oldest for more than ${BACKLOG_MINUTES} minutes; and when it has caught up.`,
  },
  SOURCE_REJECTING: {
    label: 'Source rejecting',
    meaning: `A source has refused ${REJECTED_REQUESTS} requests in ${REJECTING_MINUTES} minutes and accepted none; and when it accepts them again.`,
  },
  SCHEMA_MISMATCH: {
    label: 'Schema mismatch',
    meaning: `In a project that reports them, an event that differs from the schema of its type was stored in the last ${MISMATCH_MINUTES} minutes. It is over after ${MATCHING_MINUTES} minutes without one.`,
  },
  KEY_EXPIRING: {
    label: 'API key expiring',
    meaning: `An API key that was not rotated expires within ${EXPIRING_DAYS} days.`,
  },
};

/** Messages of an alert in an hour, before its digest. */
export const MESSAGES_PER_HOUR = 60;
/** Messages of an alert that wait for its digest. */
export const MAX_HELD = 1_000;

/** Subjects that an alert knows of each trigger, at most. */
export const MAX_INCIDENTS = 1_000;
/** An alert notices an endpoint in this time after a failure. */
export const FAILURE_HOURS = 26;
