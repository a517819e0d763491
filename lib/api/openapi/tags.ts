import type { resources } from '@/lib/api/table';

type Tag = keyof typeof resources;

/** What each module of the table is about. */
const DESCRIPTIONS: Record<Tag, string> = {
  account: 'The account of the signed-in person.',
  admin: 'What the operator of a deployment sees and does, across organizations.',
  apiKeys: 'Keys that give servers access to a project.',
  auditLog: 'Who changed what in an organization.',
  auth: 'Register, sign in, refresh and sign out.',
  changes: 'Hints that the lists of a project have changed, as server-sent events.',
  bulkRetries: 'Retry deliveries, many at once.',
  deliveries: 'What was sent to each receiver, attempt by attempt.',
  destinations: 'Where the requests to a source are forwarded to.',
  device: 'Sign-in of programs without a browser (RFC 8628).',
  downloads: 'Programs that use the API.',
  endpoints: 'Receivers of your events.',
  events: 'What you send to your customers.',
  identityProvider: 'Sign-in with an identity provider.',
  incomingEvents: 'The requests that your sources received.',
  ingress: 'The public URL of a source.',
  invitations: 'Invitations to an organization.',
  members: 'The members of an organization and their roles.',
  openapi: 'The description of the API.',
  operations: 'Health and metrics of the deployment.',
  organizationExport: 'Everything that belongs to an organization, as one document.',
  organizations: 'Organizations own projects.',
  passwords: 'Reset and change passwords.',
  projects: 'Projects own endpoints, sources and keys.',
  replays: 'Forward incoming events again, many at once.',
  retention: 'How long data is kept.',
  search: 'Find what an organization has.',
  sessions: 'Where the signed-in person is signed in.',
  sources: 'URLs that providers post to.',
  tunnels: 'Public addresses of local servers, with a log of their requests.',
  tunnelConnection: 'Where the client of a tunnel connects.',
  stats: 'How much a project sends and receives, and how well.',
  subscriptions: 'Which events an endpoint gets.',
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
  Sending: ['events', 'endpoints', 'subscriptions', 'deliveries', 'bulkRetries', 'stats'],
  Receiving: ['sources', 'destinations', 'incomingEvents', 'replays', 'ingress'],
  Tunnels: ['tunnels', 'tunnelConnection'],
  Projects: ['projects', 'apiKeys', 'changes'],
  Organizations: ['organizations', 'members', 'invitations', 'auditLog', 'retention', 'search', 'organizationExport'],
  People: ['auth', 'account', 'passwords', 'sessions', 'device', 'identityProvider'],
  Deployment: ['operations', 'openapi', 'downloads', 'admin'],
};

/** The tags by subject, in the order of a reader's interest. Each tag is in one group. */
export const TAG_GROUPS = Object.entries(GROUPS).map(([name, tags]) => ({ name, tags }));
