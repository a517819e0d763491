import type { resources } from '@/lib/api/table';

/** What each module of the table is about. */
const DESCRIPTIONS: Record<keyof typeof resources, string> = {
  account: 'The account of the signed-in person.',
  admin: 'What the operator of a deployment sees and does, across organizations.',
  apiKeys: 'Keys that give servers access to a project.',
  auditLog: 'Who changed what in an organization.',
  auth: 'Register, sign in, refresh and sign out.',
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
  sessions: 'Where the signed-in person is signed in.',
  sources: 'URLs that providers post to.',
  tunnels: 'Public addresses of local servers, with a log of their requests.',
  tunnelConnection: 'Where the client of a tunnel connects.',
  subscriptions: 'Which events an endpoint gets.',
};

/** The tags of the document, in the order of the table's modules. */
export const TAGS = Object.entries(DESCRIPTIONS).map(([name, description]) => ({ name, description }));
