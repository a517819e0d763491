import { Cable, KeyRound, type LucideIcon, MonitorSmartphone, Send, UserRound, Webhook, Zap } from 'lucide-react';

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

export interface AccountItem {
  path: string;
  label: string;
  icon: LucideIcon;
  /** The second key of its shortcut: `g`, then this. */
  key: string;
}

/** The pages of one's own account. Their keys are none of a project's pages. */
export const ACCOUNT_ITEMS: readonly AccountItem[] = [
  { path: '/account', label: 'Account', icon: UserRound, key: 'a' },
  { path: '/account/sessions', label: 'Sessions', icon: MonitorSmartphone, key: 'i' },
];

/** Where `g` and then this key leads; undefined when nowhere. */
export function pathOfKey(key: string, projectId: string | undefined): string | undefined {
  const account = ACCOUNT_ITEMS.find((item) => item.key === key);
  if (account !== undefined) return account.path;
  const item = NAV_ITEMS.find((candidate) => candidate.key === key);
  return item === undefined || projectId === undefined ? undefined : projectPath(projectId, item.segment);
}
