import {
  BellOff,
  CircleCheck,
  CirclePause,
  CircleX,
  Hourglass,
  type LucideIcon,
  RotateCw,
  TriangleAlert,
} from 'lucide-react';
import { Badge, type Tone } from '@/components/ui/badge';
import { formatRelative } from '@/components/ui/format-time';
import type { Alert, AlertKind, AlertMessage, AlertMessageKind } from '@/lib/alerts/schema';
import type { AlertTrigger } from '@/lib/alerts/triggers-policy';
import { TRIGGER_WORDS } from '@/lib/alerts/triggers-policy';

type Look = readonly [tone: Tone, icon: LucideIcon, word: string];

export const KIND_WORDS: Readonly<Record<AlertKind, string>> = { EMAIL: 'Email', WEBHOOK: 'Webhook', SLACK: 'Slack' };

/** Whether an alert is muted now. */
export const isMuted = ({ mutedUntil }: Pick<Alert, 'mutedUntil'>, now: Date) =>
  mutedUntil !== null && new Date(mutedUntil) > now;

function lookOf(alert: Alert, now: Date): Look {
  if (!alert.enabled) {
    return alert.disabledReason === null
      ? ['neutral', CirclePause, 'Disabled']
      : ['danger', TriangleAlert, 'Member left'];
  }
  if (!isMuted(alert, now)) return ['success', CircleCheck, 'Enabled'];
  return ['warning', BellOff, `Muted, ends ${formatRelative(new Date(alert.mutedUntil ?? 0), now)}`];
}

/** Whether an alert says anything now, and if not, why. */
export function AlertState({ alert, now }: { alert: Alert; now: Date }) {
  const [tone, icon, word] = lookOf(alert, now);
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}

const MESSAGE_LOOKS: Readonly<Record<AlertMessage['status'], Look>> = {
  SENT: ['success', CircleCheck, 'Sent'],
  PENDING: ['neutral', Hourglass, 'Sending'],
  HELD: ['warning', Hourglass, 'In the digest'],
  FAILED: ['danger', CircleX, 'Failed'],
};

const RETRYING: Look = ['warning', RotateCw, 'Retrying'];

/** What became of a message. */
export function MessageState({ status, error }: Pick<AlertMessage, 'status' | 'error'>) {
  const [tone, icon, word] = status === 'PENDING' && error !== null ? RETRYING : MESSAGE_LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}

const KINDS: Readonly<Record<AlertMessageKind, string>> = {
  BEGAN: 'Began',
  ENDED: 'Over',
  DIGEST: 'Digest',
  TEST: 'Test',
};

/** Names what a message is about: "Backlog, over". */
export function describeMessage({ kind, trigger }: { kind: AlertMessageKind; trigger: AlertTrigger | null }): string {
  if (trigger === null) return KINDS[kind];
  return kind === 'ENDED' && trigger !== 'ENDPOINT_RECOVERED'
    ? `${TRIGGER_WORDS[trigger].label}, over`
    : TRIGGER_WORDS[trigger].label;
}
