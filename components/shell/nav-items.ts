import { Cable, KeyRound, type LucideIcon, Send, Webhook, Zap } from 'lucide-react';

export interface NavItem {
  /** Last part of the path, and the word for it everywhere. */
  segment: string;
  label: string;
  icon: LucideIcon;
  /** The second key of its shortcut: `g`, then this. */
  key: string;
}

/** The pages of a project, in the order of an event's way through it. */
export const NAV_ITEMS: readonly NavItem[] = [
  { segment: 'events', label: 'Events', icon: Zap, key: 'e' },
  { segment: 'deliveries', label: 'Deliveries', icon: Send, key: 'd' },
  { segment: 'endpoints', label: 'Endpoints', icon: Webhook, key: 'n' },
  { segment: 'subscriptions', label: 'Subscriptions', icon: Cable, key: 's' },
  { segment: 'keys', label: 'API keys', icon: KeyRound, key: 'k' },
];

export function projectPath(projectId: string, segment: string): string {
  return `/projects/${projectId}/${segment}`;
}
