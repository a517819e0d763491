import {
  ArrowRight,
  Ban,
  CircleCheck,
  CirclePause,
  CircleX,
  FlaskConical,
  type LucideIcon,
  Radio,
  ShieldAlert,
  ShieldCheck,
  ShieldOff,
  ShieldX,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import { Badge, type Tone } from '@/components/ui/badge';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Endpoint } from '@/lib/delivery/schema';
import type { IncomingEvent, Source } from '@/lib/incoming/schema';
import type { Tunnel, TunnelRequest } from '@/lib/tunnel/schema';

function StateBadge({ look: [tone, icon, word] }: { look: readonly [Tone, LucideIcon, string] }) {
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}

const ENABLED = ['success', CircleCheck, 'Enabled'] as const;

/** Whether an endpoint, or a destination, is enabled, failing, paused or disabled. */
export function EndpointState({
  enabled,
  disabledReason,
  failingSince,
}: Pick<Endpoint, 'enabled' | 'disabledReason' | 'failingSince'>) {
  if (enabled) return <StateBadge look={failingSince === null ? ENABLED : ['warning', TriangleAlert, 'Failing']} />;
  return (
    <StateBadge look={disabledReason === null ? ['neutral', CirclePause, 'Paused'] : ['danger', Ban, 'Disabled']} />
  );
}

/** Whether a source accepts requests. */
export function SourceState({ enabled }: Pick<Source, 'enabled'>) {
  return <StateBadge look={enabled ? ENABLED : ['neutral', Ban, 'Disabled']} />;
}

/** Whether a source checks signatures, or what it needs for that. */
export function SignatureCheck({ provider, hasSecret }: Pick<Source, 'provider' | 'hasSecret'>) {
  if (provider === 'NONE') return <StateBadge look={['neutral', ShieldOff, 'Off']} />;
  return <StateBadge look={hasSecret ? ['success', ShieldCheck, 'On'] : ['warning', ShieldAlert, 'Secret missing']} />;
}

/** Whether the signature of an incoming event was verified. */
export function VerifiedBadge({ verified }: Pick<IncomingEvent, 'verified'>) {
  if (verified === null) return <StateBadge look={['neutral', ShieldOff, 'Unsigned']} />;
  return <StateBadge look={verified ? ['success', ShieldCheck, 'Verified'] : ['danger', ShieldX, 'Unverified']} />;
}

/** Whether the client of a tunnel is connected. A test receiver has none, and is always ready. */
export function TunnelState({ online, testResponse }: Pick<Tunnel, 'online' | 'testResponse'>) {
  if (testResponse !== null) return <StateBadge look={['success', FlaskConical, 'Ready']} />;
  return <StateBadge look={online ? ['success', Radio, 'Online'] : ['neutral', Unplug, 'Offline']} />;
}

const OUTCOMES: Record<string, { tone: Tone; icon: LucideIcon }> = {
  '1': { tone: 'neutral', icon: ArrowRight },
  '2': { tone: 'success', icon: CircleCheck },
  '3': { tone: 'accent', icon: ArrowRight },
  '4': { tone: 'warning', icon: TriangleAlert },
  '5': { tone: 'danger', icon: CircleX },
};

/** The status of the response to a request of a tunnel, or a note that there was none. */
export function RequestOutcome({ responseStatus }: Pick<TunnelRequest, 'responseStatus'>) {
  return (
    <Badge {...OUTCOMES[String(responseStatus ?? 5).charAt(0)]} className="tabular-nums">
      {responseStatus ?? 'No response'}
    </Badge>
  );
}

/** When the client of a tunnel was last connected. A test receiver needs none. */
export function LastSeen({ tunnel, inRow = false }: { tunnel: Tunnel; inRow?: boolean }) {
  if (tunnel.testResponse !== null) return 'Always on';
  if (tunnel.online) return 'Now';
  return tunnel.lastSeenAt === null ? 'Never' : <RelativeTime at={tunnel.lastSeenAt} inRow={inRow} />;
}
