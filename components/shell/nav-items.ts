import {
  Bell,
  BookOpen,
  Cable,
  Contact,
  Hourglass,
  Inbox,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  MonitorSmartphone,
  Plug,
  ScrollText,
  Send,
  Settings,
  SlidersHorizontal,
  UserRound,
  UsersRound,
  Waypoints,
  Webhook,
  Zap,
} from 'lucide-react';
import type { Role } from '@/components/projects/role-disabled-reason';
import { type Action, may } from '@/lib/orgs/permissions-policy';

export interface NavItem {
  /** The last part of the path. */
  segment: string;
  label: string;
  icon: LucideIcon;
  /** The second key of its shortcut: `g`, then this. */
  key: string;
  /** What a person must be allowed to see it. */
  needs?: Action;
}

interface NavGroup {
  /** Null for the first one. */
  label: string | null;
  items: readonly NavItem[];
}

/** The pages of a project by what people do, in the order an event passes them. */
export const NAV_GROUPS: readonly NavGroup[] = [
  { label: null, items: [{ segment: 'overview', label: 'Overview', icon: LayoutDashboard, key: 'v' }] },
  {
    label: 'Send',
    items: [
      { segment: 'events', label: 'Events', icon: Zap, key: 'e' },
      { segment: 'event-types', label: 'Event types', icon: BookOpen, key: 'y' },
      { segment: 'deliveries', label: 'Deliveries', icon: Send, key: 'd' },
      { segment: 'endpoints', label: 'Endpoints', icon: Webhook, key: 'n' },
      { segment: 'customers', label: 'Customers', icon: Contact, key: 'w' },
    ],
  },
  {
    label: 'Receive',
    items: [
      { segment: 'sources', label: 'Sources', icon: Plug, key: 'u' },
      { segment: 'incoming-events', label: 'Incoming events', icon: Inbox, key: 'c' },
    ],
  },
  {
    label: 'Develop',
    items: [
      { segment: 'tunnels', label: 'Tunnels', icon: Waypoints, key: 't' },
      { segment: 'keys', label: 'API keys', icon: KeyRound, key: 'k' },
      { segment: 'alerts', label: 'Alerts', icon: Bell, key: 'b' },
      { segment: 'jobs', label: 'Jobs', icon: ListChecks, key: 'j' },
      { segment: 'settings', label: 'Project settings', icon: SlidersHorizontal, key: 'p' },
    ],
  },
];

/** A page that another one leads to, in whose place the sidebar shows that one. */
const SUBSCRIPTIONS = {
  segment: 'subscriptions',
  label: 'Subscriptions',
  icon: Cable,
  key: 's',
  isPartOf: 'endpoints',
};

/** All pages of a project. */
export const NAV_ITEMS: readonly NavItem[] = [...NAV_GROUPS.flatMap(({ items }) => items), SUBSCRIPTIONS];

/** Returns the page of the sidebar that shows where the page of a segment is. */
export function sidebarSegment(segment: string | undefined): string | undefined {
  return segment === SUBSCRIPTIONS.segment ? SUBSCRIPTIONS.isPartOf : segment;
}

export function projectPath(projectId: string, segment: string): string {
  return `/projects/${projectId}/${segment}`;
}

/** The pages of an organization. Their keys differ from those of project pages. */
export const ORGANIZATION_ITEMS: readonly NavItem[] = [
  { segment: 'settings', label: 'Settings', icon: Settings, key: 'o' },
  { segment: 'members', label: 'Members', icon: UsersRound, key: 'm' },
  { segment: 'audit', label: 'Audit log', icon: ScrollText, key: 'l', needs: 'audit_log.read' },
  { segment: 'retention', label: 'Retention', icon: Hourglass, key: 'r' },
];

/** Returns the pages of an organization that a role may see; all for an unknown role. */
export function organizationItems(role: Role | undefined): NavItem[] {
  return ORGANIZATION_ITEMS.filter(({ needs }) => role === undefined || needs === undefined || may(role, needs));
}

/** The retention page has no organization in its path: it shows the current one. */
export const RETENTION_PATH = '/retention';

export function organizationPath(organizationId: string, segment: string): string {
  return segment === 'retention' ? RETENTION_PATH : `/orgs/${organizationId}/${segment}`;
}

/** The documentation has a layout of its own, since it is also for people without a session. */
export const DOCS_PATH = '/docs/guides';

/** The reference of every call. */
export const API_REFERENCE_PATH = '/docs/api';

export interface AccountItem {
  path: string;
  label: string;
  icon: LucideIcon;
  /** The second key of its shortcut: `g`, then this. */
  key: string;
}

/** The pages of the account. Their keys differ from those of all other pages. */
export const ACCOUNT_ITEMS: readonly AccountItem[] = [
  { path: '/account', label: 'Account', icon: UserRound, key: 'a' },
  { path: '/account/sessions', label: 'Sessions', icon: MonitorSmartphone, key: 'i' },
];

/** The current project and organization; either can be missing. */
export interface ScopeIds {
  projectId: string | undefined;
  organizationId: string | undefined;
}

/** Returns the path that `g` and then this key opens; undefined when there is none. */
export function shortcutPath(key: string, { projectId, organizationId }: ScopeIds): string | undefined {
  const segmentFor = (items: readonly NavItem[]) => items.find((item) => item.key === key)?.segment;
  const page = segmentFor(NAV_ITEMS);
  const organizationPage = segmentFor(ORGANIZATION_ITEMS);
  if (page !== undefined && projectId !== undefined) return projectPath(projectId, page);
  if (organizationPage === 'retention') return RETENTION_PATH;
  if (organizationPage !== undefined && organizationId !== undefined) {
    return organizationPath(organizationId, organizationPage);
  }
  return ACCOUNT_ITEMS.find((item) => item.key === key)?.path;
}
