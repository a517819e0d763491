import type { AuditAction } from '@/lib/audit/types';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { newIdAt } from '@/lib/platform/ids';
import { SETUP_MS_AGO } from './backdate';
import { HISTORY_DAYS } from './history';
import { ADDRESS_OF_ADA, COLLEAGUES } from './people';
import { type Random, skewed } from './random';

/** A row of the audit log, without its organization. */
interface StoryEntry {
  id: string;
  created_at: Date;
  action: AuditAction;
  actor_type: 'USER' | 'SYSTEM' | 'OPERATOR';
  actor_id: string | null;
  ip_address: string | null;
  target_type: string;
  target_id: string | null;
  details: object;
}

/** What the entries are about. */
interface StorySubjects {
  projectId: string;
  /** Ids by type and name: `user ada`, `endpoint /crm` (the path of its receiver), `source STRIPE`, `destination STRIPE`. */
  ids: ReadonlyMap<string, string | null>;
}

/** The share of working days on which a person signs in. */
const SIGN_IN_SHARE = 0.6;

/** Makes the entries of 30 days besides those of what the API has created, each as the product writes it, oldest first. */
export function makeStory(subjects: StorySubjects, random: Random, now: Date): StoryEntry[] {
  const entries = [...makeJoins(subjects, now), ...makeChanges(subjects, now), ...makeSignIns(subjects, random, now)];
  return entries.sort((a, b) => a.created_at.getTime() - b.created_at.getTime());
}

/** @param actor the mailbox of a person, SYSTEM or OPERATOR */
function entry(
  { ids }: StorySubjects,
  at: Date,
  actor: string,
  action: AuditAction,
  target: { type: string; id: string | null },
  details: object = {},
): StoryEntry {
  const isPerson = actor !== 'SYSTEM' && actor !== 'OPERATOR';
  const address = COLLEAGUES.find(({ mailbox }) => mailbox === actor)?.address ?? ADDRESS_OF_ADA;
  return {
    id: newIdAt(at),
    created_at: at,
    action,
    actor_type: isPerson ? 'USER' : actor,
    actor_id: isPerson ? (ids.get(`user ${actor}`) ?? null) : null,
    ip_address: isPerson ? address : null,
    target_type: target.type,
    target_id: target.id,
    details,
  };
}

/** Colleagues are invited by the owner, and answer a few hours later. */
function makeJoins(subjects: StorySubjects, now: Date): StoryEntry[] {
  return COLLEAGUES.flatMap(({ mailbox, invitedAs: role, joinedDaysAgo }) => {
    const joinedAt = addMs(now, -joinedDaysAgo * DAY_MS);
    const invitedAt = addMs(joinedAt, -3 * HOUR_MS);
    const invitation = { type: 'invitation', id: newIdAt(invitedAt) };
    const member = { type: 'user', id: subjects.ids.get(`user ${mailbox}`) ?? null };
    return [
      entry(subjects, invitedAt, 'ada', 'invitation.created', invitation, { role }),
      entry(subjects, addMs(joinedAt, -20), mailbox, 'invitation.accepted', invitation, { role }),
      entry(subjects, addMs(joinedAt, -10), mailbox, 'member.added', member, { role, invitationId: invitation.id }),
    ];
  });
}

/** Days ago, actor, action, the key of the target, and details. */
const CHANGES: readonly [number, string, AuditAction, string, object?][] = [
  [31.2, 'ada', 'source.secret_revealed', 'source GITHUB'],
  [27.6, 'grace', 'endpoint.updated', 'endpoint /crm', { fields: ['retrySeconds'] }],
  [20.4, 'grace', 'member.role_changed', 'user linus', { from: 'VIEWER', to: 'DEVELOPER' }],
  [18.2, 'linus', 'endpoint.secret_revealed', 'endpoint /billing'],
  [15.3, 'linus', 'endpoint.secret_rotated', 'endpoint /billing'],
  [12.1, 'margaret', 'destination.updated', 'destination STRIPE', { fields: ['retrySeconds'] }],
  [11.3, 'OPERATOR', 'audit_log.viewed', 'audit_log'],
  [10.2, 'ada', 'organization.exported', 'organization'],
  [9, 'SYSTEM', 'endpoint.disabled', 'endpoint /partner-feed', { reason: 'gone' }],
  [5.4, 'margaret', 'source.updated', 'source GENERIC_HMAC', { fields: ['signaturePrefix'] }],
  [2.2, 'margaret', 'endpoint.secret_revealed', 'endpoint /legacy-erp'],
  [2.1, 'linus', 'endpoint.updated', 'endpoint /legacy-erp', { fields: ['retrySeconds'] }],
  [2, 'grace', 'endpoint.updated', 'endpoint /staging', { fields: ['enabled', 'pauseReason'] }],
];

function makeChanges(subjects: StorySubjects, now: Date): StoryEntry[] {
  const { ids, projectId } = subjects;
  return CHANGES.map(([daysAgo, actor, action, target, details = {}]) => {
    const [type = ''] = target.split(' ');
    const ofProject = ['endpoint', 'source', 'destination'].includes(type) ? { projectId } : {};
    const ofSource = type === 'destination' ? { sourceId: ids.get('source STRIPE') } : {};
    const at = addMs(now, -daysAgo * DAY_MS);
    const about = { ...ofProject, ...ofSource, ...details };
    return entry(subjects, at, actor, action, { type, id: ids.get(target) ?? null }, about);
  });
}

/** The owner signs in to create the organization; then everyone does on working days, once they have joined. */
function makeSignIns(subjects: StorySubjects, random: Random, now: Date): StoryEntry[] {
  const signIn = (mailbox: string, at: Date) =>
    entry(subjects, at, mailbox, 'session.created', { type: 'session', id: newIdAt(at) }, { method: 'PASSWORD' });
  const entries = [signIn('ada', addMs(now, MINUTE_MS - SETUP_MS_AGO))];
  const everyone = [{ mailbox: 'ada', joinedDaysAgo: HISTORY_DAYS + 1 }, ...COLLEAGUES];
  for (let day = HISTORY_DAYS; day > 0; day--) {
    const midnight = Math.floor((now.getTime() - day * DAY_MS) / DAY_MS) * DAY_MS;
    const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay());
    for (const { mailbox, joinedDaysAgo } of everyone) {
      if (isWeekend || joinedDaysAgo <= day || random() > SIGN_IN_SHARE) continue;
      entries.push(signIn(mailbox, new Date(midnight + skewed(random, 7 * HOUR_MS, 16 * HOUR_MS))));
    }
  }
  return entries;
}
