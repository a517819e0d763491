import { shownAddress } from '@/lib/delivery/engine/targets';
import type { Sql } from '@/lib/platform/db';
import type { Incident } from './alerts-sql';
import {
  type EndpointState,
  selectBacklogs,
  selectEndpointStates,
  selectExpiringKeys,
  selectMismatches,
  selectRejectingSources,
} from './conditions-sql';
import type { AlertTrigger } from './triggers-policy';

/** An endpoint, source, event type or key. */
export interface Subject {
  id: string;
  kind: 'endpoint' | 'source' | 'eventType' | 'apiKey';
  /** The URL of an endpoint without its query, or a name. */
  name: string;
  customerId: string | null;
  customerUid: string | null;
  /** Since when; of a type, when an event last differed; of a key, until when. */
  at: Date | null;
  /** Why the service has disabled an endpoint. */
  disabledReason: string | null;
}

/** What a trigger says of a subject now. */
interface Finding {
  subject: Subject;
  /** Whether it goes on. */
  isOn: boolean;
  /** Whether its end is good news: a deleted endpoint, for one, has not recovered. */
  isRight: boolean;
}

/** What begins and what ends for a trigger. */
export interface Change {
  trigger: AlertTrigger;
  began: Subject[];
  ended: { incident: Incident; subject: Subject | null; isRight: boolean }[];
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
    const states = await selectEndpointStates.all(sql, { project, known: known(...ofEndpoints) });
    for (const trigger of ofEndpoints) {
      const began = new Map(of(trigger).map((incident) => [incident.subject_id, incident.began_at]));
      add(
        trigger,
        states.map((state) => findingOf(trigger, state, began.get(state.id))),
      );
    }
  }
  if (triggers.includes('BACKLOG')) {
    const rows = await selectBacklogs.all(sql, { project, known: known('BACKLOG') });
    const findings = rows.map((row) => ({
      subject: endpoint(row, row.due_at),
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
      return { subject: endpoint(state, state.failing_since), isOn: isFailing === true, isRight: false };
    case 'ENDPOINT_DISABLED':
      return { subject: endpoint(state, null), isOn: isDisabled && !isLive, isRight: false };
    case 'DELIVERIES_EXHAUSTED':
      return { subject: endpoint(state, null), isOn: state.is_exhausted === true, isRight: false };
    case 'ENDPOINT_RECOVERED': {
      // It is noted while there is trouble, and said at the end: the first success after that.
      const { failing_since: failingSince, succeeded_at: succeededAt } = state;
      const subject = endpoint(state, succeededAt);
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
  return {
    trigger,
    began: findings.filter(({ isOn, subject }) => isOn && !known.has(subject.id)).map(({ subject }) => subject),
    ended: incidents
      .filter(({ subject_id }) => byId.get(subject_id)?.isOn !== true)
      .map((incident) => {
        const { subject = null, isRight = false } = byId.get(incident.subject_id) ?? {};
        return { incident, subject, isRight };
      }),
  };
}

interface EndpointRow {
  id: string;
  name: string;
  customer_id: string | null;
  customer_uid: string | null;
  disabled_reason?: string | null;
}

const endpoint = (row: EndpointRow, at: Date | null): Subject => ({
  id: row.id,
  kind: 'endpoint',
  name: shownAddress(row.name),
  customerId: row.customer_id,
  customerUid: row.customer_uid,
  at,
  disabledReason: row.disabled_reason ?? null,
});

const plain = (
  kind: Exclude<Subject['kind'], 'endpoint'>,
  { id, name }: { id: string; name: string },
  at: Date | null,
): Subject => ({
  id,
  kind,
  name,
  customerId: null,
  customerUid: null,
  at,
  disabledReason: null,
});
