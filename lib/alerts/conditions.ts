import { setImmediate } from 'node:timers/promises';
import { shownAddress } from '@/lib/delivery/engine/targets';
import type { Sql } from '@/lib/platform/db';
import type { Incident } from './alerts-sql';
import {
  type EndpointState,
  selectBacklogs,
  selectEndpointNames,
  selectEndpointStates,
  selectExpiringKeys,
  selectMismatches,
  selectRejectingSources,
} from './conditions-sql';
import { type AlertTrigger, MAX_INCIDENTS } from './triggers-policy';

/** What a trigger is about, without what is only read to speak of it. */
export interface Noticed {
  id: string;
  kind: 'endpoint' | 'source' | 'eventType' | 'apiKey';
  /** Empty for an endpoint. */
  name: string;
  /** Since when; of a type, when an event last differed; of a key, until when. */
  at: Date | null;
  /** Why the service has disabled an endpoint. */
  disabledReason: string | null;
}

/** An endpoint, source, event type or key. An endpoint has its URL without the query as its name. */
export interface Subject extends Noticed {
  customerId: string | null;
  customerUid: string | null;
}

/** What a trigger says of a subject now. */
interface Finding {
  subject: Noticed;
  /** Whether it goes on. */
  isOn: boolean;
  /** Whether its end is good news: a deleted endpoint, for one, has not recovered. */
  isRight: boolean;
  /** Whether the alert can do without its incident: without another failure, it would not be noticed. */
  isForgettable?: boolean;
}

/** What begins and what ends for a trigger, and what the alert forgets to have room for what begins. */
export interface Change {
  trigger: AlertTrigger;
  began: Noticed[];
  ended: { incident: Incident; subject: Noticed | null; isRight: boolean }[];
  forgotten: Incident[];
}

type EndpointTrigger = 'ENDPOINT_FAILING' | 'ENDPOINT_DISABLED' | 'ENDPOINT_RECOVERED' | 'DELIVERIES_EXHAUSTED';
const ENDPOINT_TRIGGERS: readonly EndpointTrigger[] = [
  'ENDPOINT_FAILING',
  'ENDPOINT_DISABLED',
  'ENDPOINT_RECOVERED',
  'DELIVERIES_EXHAUSTED',
];

/** Reads what begins and what ends in a project for some triggers. @param incidents what goes on */
export async function findChanges(
  sql: Sql,
  projectId: string,
  triggers: readonly AlertTrigger[],
  incidents: readonly Incident[],
): Promise<Change[]> {
  const project = projectId;
  const of = (trigger: AlertTrigger) => incidents.filter((incident) => incident.trigger === trigger);
  const known = (...names: AlertTrigger[]) => names.flatMap(of).map(({ subject_id }) => subject_id);
  const changes: Change[] = [];
  const add = (trigger: AlertTrigger, findings: Finding[]) => changes.push(compare(trigger, findings, of(trigger)));

  const ofEndpoints = ENDPOINT_TRIGGERS.filter((trigger) => triggers.includes(trigger));
  if (ofEndpoints.length > 0) {
    const states = await selectEndpointStates.all(sql, {
      project,
      known: known(...ofEndpoints),
      isHealthAsked: triggers.includes('ENDPOINT_FAILING') || triggers.includes('ENDPOINT_RECOVERED'),
      isExhaustedAsked: triggers.includes('DELIVERIES_EXHAUSTED'),
    });
    for (const trigger of ofEndpoints) {
      // Others have the thread between two triggers: each has thousands of states.
      await setImmediate();
      const began = new Map(of(trigger).map((incident) => [incident.subject_id, incident.began_at]));
      add(
        trigger,
        states.map((state) => ({
          ...findingOf(trigger, state, began.get(state.id)),
          isForgettable: state.has_failures !== true,
        })),
      );
    }
  }
  if (triggers.includes('BACKLOG')) {
    const rows = await selectBacklogs.all(sql, { project, known: known('BACKLOG') });
    const findings = rows.map((row) => ({
      subject: endpoint(row.id, row.due_at),
      isOn: row.is_live && row.is_late === true,
      isRight: row.is_live,
    }));
    add('BACKLOG', findings);
  }
  if (triggers.includes('SOURCE_REJECTING')) {
    const rows = await selectRejectingSources.all(sql, { project, known: known('SOURCE_REJECTING') });
    const began = new Map(of('SOURCE_REJECTING').map((incident) => [incident.subject_id, incident.began_at]));
    const findings = rows.map((row) => {
      const beganAt = began.get(row.id);
      const accepts = beganAt !== undefined && row.accepted_at !== null && row.accepted_at >= beganAt;
      return {
        subject: plain('source', row, null),
        isOn: row.is_live && row.is_rejecting === true && !accepts,
        isRight: row.is_live && accepts,
      };
    });
    add('SOURCE_REJECTING', findings);
  }
  if (triggers.includes('SCHEMA_MISMATCH')) {
    const rows = await selectMismatches.all(sql, { project });
    const began = new Set(known('SCHEMA_MISMATCH'));
    const findings = rows.map((row) => ({
      subject: plain('eventType', row, row.last_mismatch_at),
      isOn: row.is_new === true || began.has(row.id),
      isRight: false,
    }));
    add('SCHEMA_MISMATCH', findings);
  }
  if (triggers.includes('KEY_EXPIRING')) {
    const rows = await selectExpiringKeys.all(sql, { project });
    const findings = rows.map((row) => ({
      subject: plain('apiKey', { ...row, name: `${row.name} (${row.hint})` }, row.expires_at),
      isOn: true,
      isRight: false,
    }));
    add('KEY_EXPIRING', findings);
  }
  return changes;
}

function findingOf(trigger: EndpointTrigger, state: EndpointState, beganAt: Date | undefined): Finding {
  const { is_failing: isFailing, is_live: isLive } = state;
  const isDisabled = state.disabled_reason !== null;
  switch (trigger) {
    case 'ENDPOINT_FAILING':
      return { subject: endpoint(state.id, state.failing_since), isOn: isFailing === true, isRight: false };
    case 'ENDPOINT_DISABLED': {
      const subject = endpoint(state.id, null, state.disabled_reason);
      return { subject, isOn: isDisabled && !isLive, isRight: false };
    }
    case 'DELIVERIES_EXHAUSTED':
      return { subject: endpoint(state.id, null), isOn: state.is_exhausted === true, isRight: false };
    case 'ENDPOINT_RECOVERED': {
      // It is noted while there is trouble, and said at the end: the first success after that.
      const { failing_since: failingSince, succeeded_at: succeededAt } = state;
      const subject = endpoint(state.id, succeededAt);
      if (beganAt === undefined) return { subject, isOn: isFailing === true || isDisabled, isRight: false };
      const hasRecovered = isLive && failingSince === null && succeededAt !== null && succeededAt >= beganAt;
      return { subject, isOn: !hasRecovered && (isLive || isDisabled), isRight: hasRecovered };
    }
  }
}

/** Compares what goes on now with what did before. */
function compare(trigger: AlertTrigger, findings: readonly Finding[], incidents: readonly Incident[]): Change {
  const known = new Set(incidents.map(({ subject_id }) => subject_id));
  const byId = new Map(findings.map((finding) => [finding.subject.id, finding]));
  const began = findings.filter(({ isOn, subject }) => isOn && !known.has(subject.id)).map(({ subject }) => subject);
  const ended = incidents
    .filter(({ subject_id }) => byId.get(subject_id)?.isOn !== true)
    .map((incident) => {
      const { subject = null, isRight = false } = byId.get(incident.subject_id) ?? {};
      return { incident, subject, isRight };
    });
  const tooMany = incidents.length - ended.length + began.length - MAX_INCIDENTS;
  if (began.length === 0 || tooMany <= 0) return { trigger, began, ended, forgotten: [] };
  const forgettable = incidents.filter(({ subject_id, is_old: isOld }) => {
    const { isOn = false, isForgettable = false } = byId.get(subject_id) ?? {};
    return isOld === true && isOn && isForgettable;
  });
  const oldestFirst = forgettable.toSorted((a, b) => a.began_at.getTime() - b.began_at.getTime());
  return { trigger, began, ended, forgotten: oldestFirst.slice(0, Math.min(tooMany, began.length)) };
}

/** Reads what there is to say of subjects of a project, in their order: without those that are gone. */
export async function describeSubjects<N extends { subject: Noticed }>(
  sql: Sql,
  project: string,
  news: readonly N[],
): Promise<(N & { subject: Subject })[]> {
  const endpoints = news.flatMap(({ subject }) => (subject.kind === 'endpoint' ? subject.id : []));
  const rows =
    endpoints.length === 0 ? [] : await selectEndpointNames.all(sql, { project, endpoints: [...new Set(endpoints)] });
  const byId = new Map(
    rows.map(({ id, url, customer_id: customerId, customer_uid: customerUid }) => [
      id,
      { name: shownAddress(url), customerId, customerUid },
    ]),
  );
  return news.flatMap((each) => {
    const { subject } = each;
    if (subject.kind !== 'endpoint') return { ...each, subject: { ...subject, customerId: null, customerUid: null } };
    const named = byId.get(subject.id);
    return named === undefined ? [] : { ...each, subject: { ...subject, ...named } };
  });
}

const endpoint = (id: string, at: Date | null, disabledReason: string | null = null): Noticed => ({
  id,
  kind: 'endpoint',
  name: '',
  at,
  disabledReason,
});

const plain = (
  kind: Exclude<Noticed['kind'], 'endpoint'>,
  { id, name }: { id: string; name: string },
  at: Date | null,
): Noticed => ({ id, kind, name, at, disabledReason: null });
