import { Archive, CircleCheck, Eye } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { CatalogueType } from '@/lib/events/schema';

const LOOKS = {
  ACTIVE: ['success', CircleCheck, 'Active'],
  DEPRECATED: ['warning', Archive, 'Deprecated'],
  SEEN: ['neutral', Eye, 'Not defined'],
} as const;

/** Whether a type is in use, deprecated, or only sent. */
export function TypeStatus({ status }: Pick<CatalogueType, 'status'>) {
  const [tone, icon, word] = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
