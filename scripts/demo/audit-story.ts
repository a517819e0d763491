import type { AuditAction } from '@/lib/audit/types';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { newIdAt } from '@/lib/platform/ids';
import { SETUP_MS_AGO } from './backdate';
import { HISTORY_DAYS } from './history';
import type { Provider } from './incoming';
import { ADDRESS_OF_ADA, COLLEAGUES } from './people';
import { type Random, skewed } from './random';

/** An entry of the audit log. */
export interface StoryEntry {
  at: Date;
  action: AuditAction;
  actor: 'USER' | 'SYSTEM' | 'OPERATOR';
  actorId: string | null;
  address: string | null;
  targetType: string;
  targetId: string | null;
  details: object;
}

/** What the entries are about. */
export interface StorySubjects {
  organizationId: string;
  projectId: string;
  /** Ids of people, by mailbox; the owner is `ada`. */
  people: ReadonlyMap<string, string>;
  /** Ids of endpoints, by the path of their receiver. */
  endpoints: ReadonlyMap<string, string>;
  sources: ReadonlyMap<Provider, { id: string; destinationId: string | null }>;
}

type Written = Omit<StoryEntry, 'actor' | 'actorId' | 'address'>;

/** The share of working days on which a person signs in. */
const SIGN_IN_SHARE = 0.6;

/** Makes the entries of 30 days besides those of what the API has created, each as the product writes it, oldest first. */
export function makeStory(subjects: StorySubjects, random: Random, now: Date): StoryEntry[] {
  const entries = [...makeJoins(subjects, now), ...makeChanges(subjects, now), ...makeSignIns(subjects, random, now)];
  return entries.sort((a, b) => a.at.getTime() - b.at.getTime());
}

function by({ people }: StorySubjects, mailbox: string, written: Written): StoryEntry {
  const address = COLLEAGUES.find((colleague) => colleague.mailbox === mailbox)?.address ?? ADDRESS_OF_ADA;
  return { ...written, actor: 'USER', actorId: people.get(mailbox) ?? null, address };
}

/** Colleagues are invited by the owner, and answer a few hours later. */
function makeJoins(subjects: StorySubjects, now: Date): StoryEntry[] {
  return COLLEAGUES.flatMap(({ mailbox, invitedAs, joinedDaysAgo }) => {
    const joinedAt = addMs(now, -joinedDaysAgo * DAY_MS);
    const invitedAt = addMs(joinedAt, -3 * HOUR_MS);
    const id = newIdAt(invitedAt);
    const invitation = { targetType: 'invitation', targetId: id, details: { role: invitedAs } };
    const member = { targetType: 'user', targetId: subjects.people.get(mailbox) ?? null };
    return [
      by(subjects, 'ada', { at: invitedAt, action: 'invitation.created', ...invitation }),
      by(subjects, mailbox, { at: addMs(joinedAt, -20), action: 'invitation.accepted', ...invitation }),
      by(subjects, mailbox, {
        ...{ at: addMs(joinedAt, -10), action: 'member.added', ...member },
        details: { role: invitedAs, invitationId: id },
      }),
    ];
  });
}

function makeChanges(subjects: StorySubjects, now: Date): StoryEntry[] {
  const { organizationId, projectId, people, endpoints, sources } = subjects;
  const ago = (days: number) => addMs(now, -days * DAY_MS);
  const endpoint = (days: number, action: AuditAction, path: string, details: object = {}): Written => ({
    ...{ at: ago(days), action, targetType: 'endpoint', targetId: endpoints.get(path) ?? null },
    details: { projectId, ...details },
  });
  const source = (days: number, action: AuditAction, provider: Provider, details: object = {}): Written => ({
    ...{ at: ago(days), action, targetType: 'source', targetId: sources.get(provider)?.id ?? null },
    details: { projectId, ...details },
  });
  const stripe = sources.get('STRIPE');
  const nobody = { actorId: null, address: null };
  return [
    by(subjects, 'ada', source(31.2, 'source.secret_revealed', 'GITHUB')),
    by(subjects, 'grace', endpoint(27.6, 'endpoint.updated', '/crm', { fields: ['retrySeconds'] })),
    by(subjects, 'grace', {
      ...{ at: ago(20.4), action: 'member.role_changed', targetType: 'user', targetId: people.get('linus') ?? null },
      details: { from: 'VIEWER', to: 'DEVELOPER' },
    }),
    by(subjects, 'linus', endpoint(18.2, 'endpoint.secret_revealed', '/billing')),
    by(subjects, 'linus', endpoint(15.3, 'endpoint.secret_rotated', '/billing')),
    by(subjects, 'margaret', {
      ...{ at: ago(12.1), action: 'destination.updated', targetType: 'destination' },
      ...{ targetId: stripe?.destinationId ?? null },
      details: { projectId, sourceId: stripe?.id, fields: ['retrySeconds'] },
    }),
    {
      ...{ at: ago(11.3), action: 'audit_log.viewed', actor: 'OPERATOR', ...nobody },
      ...{ targetType: 'audit_log', targetId: null, details: {} },
    },
    by(subjects, 'ada', {
      ...{ at: ago(10.2), action: 'organization.exported', targetType: 'organization', targetId: organizationId },
      details: {},
    }),
    {
      ...endpoint(9, 'endpoint.disabled', '/partner-feed', { reason: 'gone' }),
      ...{ actor: 'SYSTEM', ...nobody },
    },
    by(subjects, 'margaret', source(5.4, 'source.updated', 'GENERIC_HMAC', { fields: ['signaturePrefix'] })),
    by(subjects, 'margaret', endpoint(2.2, 'endpoint.secret_revealed', '/legacy-erp')),
    by(subjects, 'linus', endpoint(2.1, 'endpoint.updated', '/legacy-erp', { fields: ['retrySeconds'] })),
    by(subjects, 'grace', endpoint(2, 'endpoint.updated', '/staging', { fields: ['enabled', 'pauseReason'] })),
  ];
}

/** The owner signs in to create the organization; then everyone does on working days, once they have joined. */
function makeSignIns(subjects: StorySubjects, random: Random, now: Date): StoryEntry[] {
  const signIn = (mailbox: string, at: Date) =>
    by(subjects, mailbox, {
      ...{ at, action: 'session.created', targetType: 'session', targetId: newIdAt(at) },
      details: { method: 'PASSWORD' },
    });
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
