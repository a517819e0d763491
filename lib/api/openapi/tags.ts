import type { resources } from '@/lib/api/table';

type Tag = keyof typeof resources;

/** What each module of the table is about. */
const DESCRIPTIONS: Record<Tag, string> = {
  account: 'Your account.',
  admin: 'Operate the deployment, across organizations.',
  alerts: 'Who is told when something needs them: by email, webhook or Slack.',
  apiKeys: 'Keys that give servers access to a project.',
  auditLog: 'Who changed what in an organization.',
  auth: 'Register, sign in, refresh and sign out.',
  changes: 'Change notifications for a project (server-sent events).',
  customers: 'Whom you send events to, each with its own endpoints.',
  bulkRetries: 'Retry many deliveries at once.',
  deliveries: 'What was sent to each receiver, attempt by attempt.',
  destinations: 'URLs that sources forward to.',
  device: 'Sign-in for programs without a browser (RFC 8628).',
  downloads: 'The client library and the command line.',
  endpoints: 'URLs that receive your events.',
  eventReplays: 'Send the events of a period again, or what an endpoint missed.',
  eventTypes: 'The catalogue of what you send: descriptions, schemas and examples.',
  events: 'What you send to your customers.',
  identityProvider: 'Sign-in with an identity provider.',
  incomingEvents: 'Requests that your sources received.',
  ingress: 'The public URL of a source.',
  invitations: 'Invitations to an organization.',
  jobs: 'What runs in the background: bulk retries and replays.',
  members: 'The members of an organization and their roles.',
  openapi: 'The OpenAPI description of this API.',
  operations: 'Health checks and metrics.',
  organizationExport: 'All of an organization’s data in one document.',
  organizations: 'Organizations own projects.',
  passwords: 'Reset and change passwords.',
  portal: 'What your customers see and change of their own endpoints and deliveries.',
  projects: 'Projects own endpoints, sources and keys.',
  replays: 'Replay many incoming events at once.',
  retention: 'How long data is kept.',
  search: 'Search an organization.',
  sessions: 'Your active sessions.',
  sources: 'URLs that providers post to.',
  tunnels: 'Public URLs for local servers, with a log of their requests.',
  tunnelConnection: 'The WebSocket that a tunnel’s client connects to.',
  stats: 'Traffic and delivery results of a project.',
  subscriptions: 'Which events each endpoint receives.',
};

/** What readers call a module whose name does not say it in plain words. */
const TITLES: Partial<Record<Tag, string>> = {
  admin: 'Operator',
  apiKeys: 'API keys',
  auth: 'Sign-in',
  device: 'Device sign-in',
  ingress: 'Source URL',
  openapi: 'OpenAPI',
  operations: 'Health and metrics',
  organizationExport: 'Export',
  stats: 'Statistics',
  tunnelConnection: 'Tunnel connection',
};

/** The tags of the document. `x-displayName` and `x-tagGroups` are extensions of Redocly that other tools read too. */
export const TAGS = Object.entries(DESCRIPTIONS).map(([name, description]) => ({
  name,
  'x-displayName': TITLES[name as Tag] ?? toTitle(name),
  description,
}));

/** Returns the words of a name: "auditLog" → "Audit log". */
function toTitle(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const GROUPS: Record<string, Tag[]> = {
  Sending: [
    'events',
    'eventTypes',
    'customers',
    'endpoints',
    'subscriptions',
    'deliveries',
    'bulkRetries',
    'eventReplays',
    'stats',
    'portal',
  ],
  Receiving: ['sources', 'destinations', 'incomingEvents', 'replays', 'ingress'],
  Tunnels: ['tunnels', 'tunnelConnection'],
  Projects: ['projects', 'apiKeys', 'alerts', 'jobs', 'changes'],
  Organizations: ['organizations', 'members', 'invitations', 'auditLog', 'retention', 'search', 'organizationExport'],
  People: ['auth', 'account', 'passwords', 'sessions', 'device', 'identityProvider'],
  Deployment: ['operations', 'openapi', 'downloads', 'admin'],
};

/** The tags by subject, in the order of a reader's interest. Each tag is in one group. */
export const TAG_GROUPS = Object.entries(GROUPS).map(([name, tags]) => ({ name, tags }));
