import { ArrowRight, CircleCheck, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react';
import { Badge, type Tone } from '@/components/ui/badge';
import type { TunnelRequest } from '@/lib/tunnel/schema';

const LOOKS: Record<string, { tone: Tone; icon: LucideIcon }> = {
  '1': { tone: 'neutral', icon: ArrowRight },
  '2': { tone: 'success', icon: CircleCheck },
  '3': { tone: 'accent', icon: ArrowRight },
  '4': { tone: 'warning', icon: TriangleAlert },
  '5': { tone: 'danger', icon: CircleX },
};

/** The status of the response, or a note that there was none. */
export function RequestOutcome({ request }: { request: Pick<TunnelRequest, 'responseStatus'> }) {
  const { responseStatus } = request;
  const look = LOOKS[String(responseStatus ?? 5).charAt(0)];
  return (
    <Badge tone={look?.tone ?? 'neutral'} {...(look === undefined ? {} : { icon: look.icon })} className="tabular-nums">
      {responseStatus ?? 'No response'}
    </Badge>
  );
}
