import * as z from 'zod';
import { EmailAddress } from '@/lib/accounts/email-address';
import { TargetUrl } from '@/lib/delivery/schema';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Instant, Time, UpdatedAt } from '@/lib/platform/instant';
import { Name, text } from '@/lib/platform/text';
import { ALERT_TRIGGERS } from './triggers-policy';

export const AlertKind = z.enum(['EMAIL', 'WEBHOOK', 'SLACK']);
export type AlertKind = z.infer<typeof AlertKind>;

export const AlertTrigger = z.enum(ALERT_TRIGGERS);

export const AlertMessageKind = z.enum(['BEGAN', 'ENDED', 'DIGEST', 'TEST']);
export type AlertMessageKind = z.infer<typeof AlertMessageKind>;

export const AlertMessageStatus = z.enum(['HELD', 'PENDING', 'SENT', 'FAILED']);
export type AlertMessageStatus = z.infer<typeof AlertMessageStatus>;

const NAME = 'Its name';
const EXAMPLE_NAME = 'On call';
const TARGET = 'EMAIL: the address of a member. WEBHOOK and SLACK: a URL';
const EXAMPLE_TARGET = 'https://example.com/alerts';
const MUTED = 'Until when it says nothing; null for now';

const Triggers = field(
  z
    .array(AlertTrigger)
    .min(1, 'must name at least one trigger')
    .max(ALERT_TRIGGERS.length)
    .refine((triggers) => new Set(triggers).size === triggers.length, 'must name each trigger once'),
  'What it tells of',
  ['ENDPOINT_FAILING', 'ENDPOINT_RECOVERED'],
);

/** Checked again by kind: see `targetOf`. */
const Target = field(text(2048), TARGET, EXAMPLE_TARGET);

/** Reads a target of a kind. */
export const TARGETS: Readonly<Record<AlertKind, z.ZodType<string, string>>> = {
  EMAIL: EmailAddress,
  WEBHOOK: TargetUrl,
  SLACK: TargetUrl,
};

export const CreateAlertBody = z.strictObject({
  name: field(Name, NAME, EXAMPLE_NAME),
  kind: field(AlertKind, 'How it tells', 'WEBHOOK'),
  target: Target,
  triggers: Triggers,
  enabled: field(z.boolean().default(true), 'Whether it is enabled'),
  mutedUntil: field(Instant.nullish(), MUTED, null),
});
export type CreateAlertBody = z.infer<typeof CreateAlertBody>;

export const UpdateAlertBody = z.strictObject({
  name: field(Name.optional(), NAME, EXAMPLE_NAME),
  target: field(text(2048).optional(), TARGET, EXAMPLE_TARGET),
  triggers: Triggers.optional(),
  enabled: field(z.boolean().optional(), 'Whether it is enabled'),
  mutedUntil: field(Instant.nullish(), MUTED, null),
});
export type UpdateAlertBody = z.infer<typeof UpdateAlertBody>;

export const FiredTrigger = z.object({
  trigger: field(AlertTrigger, 'The trigger'),
  firedAt: field(Time, 'When it last fired'),
});

export const Alert = z.object({
  id: Id,
  name: field(z.string(), NAME, EXAMPLE_NAME),
  kind: field(AlertKind, 'How it tells', 'WEBHOOK'),
  target: field(
    z.string().nullable(),
    `${TARGET}. \`[redacted]\` for who may not see secrets; null for a person who is not a member anymore`,
    EXAMPLE_TARGET,
  ),
  triggers: field(z.array(AlertTrigger), 'What it tells of', ['ENDPOINT_FAILING', 'ENDPOINT_RECOVERED']),
  enabled: field(z.boolean(), 'Whether it is enabled'),
  disabledReason: field(
    z.string().nullable(),
    'Why the service has disabled it: `member_left`. Null if it is enabled or a person has disabled it',
    null,
  ),
  mutedUntil: field(Time.nullable(), MUTED, null),
  lastSentAt: field(Time.nullable(), 'When its last message was sent; null if none was', null),
  lastFired: field(z.array(FiredTrigger), 'When each of its triggers last fired, without those that never did', []),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type Alert = z.infer<typeof Alert>;

export const CreatedAlert = Alert.extend({
  secret: field(
    z.string().optional(),
    'The signing secret of a WEBHOOK; absent for other kinds',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ),
});
export type CreatedAlert = z.infer<typeof CreatedAlert>;

export const AlertMessage = z.object({
  id: Id,
  kind: field(AlertMessageKind, 'Whether something began or ended, or it is a digest or a test', 'BEGAN'),
  trigger: field(AlertTrigger.nullable(), 'The trigger; null for a digest and a test'),
  text: field(z.string(), 'What it says', 'Every attempt to https://example.com/webhooks has failed since 09:30 UTC.'),
  data: field(
    z.record(z.string(), z.unknown()),
    'What a WEBHOOK gets as `data`: ids, the customer, the event type, the last error and a link; never a payload',
    { endpointId: '0197b6a0-0000-7000-8000-000000000000' },
  ),
  status: field(
    AlertMessageStatus,
    'HELD: part of the digest at the end of the hour. SENT: accepted by the receiver; a mail by the queue of mails',
    'SENT',
  ),
  attempts: field(z.int(), 'Number of attempts', 1),
  responseStatus: field(z.int().nullable(), 'Status of the last response; null without one', 200),
  error: field(z.string().nullable(), 'Why the last attempt failed; null if it did not', null),
  createdAt: CreatedAt,
  sentAt: field(Time.nullable(), 'When it was sent; null if it was not'),
});
export type AlertMessage = z.infer<typeof AlertMessage>;
