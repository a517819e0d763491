import { parse, validate } from 'uuid';
import type { PortalCaller, ProjectCaller } from '@/lib/audit/caller';
import { auditChange } from '@/lib/audit/record-audit';
import { getCustomer } from '@/lib/customers/customers';
import { requireRole } from '@/lib/orgs/locks';
import { chooseCellOfProject, refuseIfMoved } from '@/lib/orgs/tenant';
import type { ClientInfo } from '@/lib/platform/client-info';
import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import type { RowOf } from '@/lib/platform/sql/statement';
import { deleteSession, deleteSessionsOf, exchangeLink, findOpenSession, findSession, insertLink } from './portal-sql';
import type {
  CreatePortalLinkBody,
  OpenedPortalSession,
  OpenPortalSessionBody,
  PortalLink,
  PortalSession,
} from './schema';
import { portalSettingsOf } from './settings';

const LINK_PREFIX = 'plink_';
const TOKEN_PREFIX = 'ptok_';

/** The project of a customer, and its id or uid. */
interface CustomerPath {
  projectId: string;
  customer: string;
}

/** Makes a link to the portal of a customer, which opens one session. @throws AppError not_found, forbidden */
export async function createPortalLink(
  caller: ProjectCaller,
  path: CustomerPath,
  { permissions, sessionSeconds }: CreatePortalLinkBody,
): Promise<PortalLink> {
  const { projectId: project } = path;
  const { id: customer, name, uid } = await getCustomer(path);
  const link = makeToken(LINK_PREFIX, project);
  const given = { id: newId(), project, customer, permissions, sessionSeconds, linkHash: sha256(link) };
  const { expires_at: expiresAt } = await inTransaction(async (tx) => {
    if (caller.type === 'person') await requireRole(tx, caller, 'customer.manage');
    const made = await insertLink.first(tx, given);
    if (made === undefined) throw notFound('customer');
    const details = { projectId: project, targetName: name ?? uid, permissions };
    await auditChange(tx, caller, 'customer.portal_link_created', customer, details);
    return made;
  });
  const { PORTAL_BASE_URL, baseUrl } = config();
  const origin = PORTAL_BASE_URL === undefined ? baseUrl : new URL(PORTAL_BASE_URL).origin;
  return { url: `${origin}/portal/${project}#${link}`, expiresAt: expiresAt.toISOString() };
}

/** Ends the links and sessions of a customer at once. @throws AppError not_found; unavailable while its organization moves */
export async function endPortalSessions(caller: ProjectCaller, path: CustomerPath): Promise<void> {
  const { projectId: project } = path;
  const { id: customer, name, uid } = await getCustomer(path);
  await inTransaction(async (tx) => {
    const ended = await deleteSessionsOf.run(tx, { project, customer });
    if (ended === 0) return refuseIfMoved(tx, project);
    const details = { projectId: project, targetName: name ?? uid };
    await auditChange(tx, caller, 'customer.portal_sessions_ended', customer, details);
  });
}

/** Opens the session of a link, once. @throws AppError invalid_portal_link, also for a link of another project than `projectId` */
export async function openPortalSession({ link, projectId }: OpenPortalSessionBody): Promise<OpenedPortalSession> {
  const project = projectOf(LINK_PREFIX, link);
  if (project === null || (projectId !== undefined && projectId !== project)) throw invalidLink();
  await chooseCellOfProject(project);
  const token = makeToken(TOKEN_PREFIX, project);
  const row = await exchangeLink.first(database(), { linkHash: sha256(link), tokenHash: sha256(token), project });
  if (row === undefined) throw invalidLink();
  return { ...(await presentSession(row)), token };
}

function invalidLink(): AppError {
  const detail = 'This link has been used, has expired, is of another project, or is unknown. Ask for a new one.';
  return new AppError('invalid_portal_link', detail);
}

const TOKEN = /^(?<prefix>[a-z]+_)(?<project>[\w-]{22})[\w-]{43}$/;

/** Makes a credential that begins with its project: whoever has it names no organization, and so no cell. */
function makeToken(prefix: string, projectId: string): string {
  return `${prefix}${Buffer.from(parse(projectId)).toString('base64url')}${randomToken()}`;
}

/** Returns the project that a credential says it is of; null for one of another form. */
function projectOf(prefix: string, token: string): string | null {
  const parts = TOKEN.exec(token)?.groups;
  if (parts?.prefix !== prefix || parts.project === undefined) return null;
  const hex = Buffer.from(parts.project, 'base64url').toString('hex');
  const project = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return validate(project) ? project : null;
}

/** Whether a credential has the form of a portal token. */
export function isPortalToken(bearer: string): boolean {
  return bearer.startsWith(TOKEN_PREFIX);
}

/** Finds the session of a token. @throws AppError token_expired; unauthenticated when it has ended or never was */
export async function authenticatePortal(token: string, client: ClientInfo): Promise<PortalCaller> {
  const project = projectOf(TOKEN_PREFIX, token);
  if (project === null) throw sessionEnded();
  await chooseCellOfProject(project);
  const row = await findSession.first(database(), { tokenHash: sha256(token) });
  if (row === undefined) throw sessionEnded();
  if (row.is_expired) throw new AppError('token_expired', 'This portal session has expired. Ask for a new link.');
  return {
    type: 'portal',
    sessionId: row.id,
    customerId: row.customer_id,
    projectId: row.project_id,
    organizationId: row.organization_id,
    permissions: row.permissions,
    client,
  };
}

function sessionEnded(): AppError {
  return new AppError('unauthenticated', 'This portal session has ended. Ask for a new link.');
}

/** Reads the session of a caller. @throws AppError unauthenticated when it has just ended */
export async function getPortalSession({ sessionId, projectId }: PortalCaller): Promise<PortalSession> {
  const row = await findOpenSession.first(database(), { session: sessionId, project: projectId });
  if (row === undefined) throw sessionEnded();
  return presentSession(row);
}

async function presentSession(row: RowOf<typeof findOpenSession.columns>): Promise<PortalSession> {
  const { project_id, permissions, expires_at, uid, name } = row;
  const portal = await portalSettingsOf(project_id);
  return { expiresAt: expires_at.toISOString(), permissions, customer: { uid, name }, portal };
}

/** Ends the session of a caller. @throws AppError unavailable while the organization moves */
export async function closePortalSession({ sessionId, projectId }: PortalCaller): Promise<void> {
  const ended = await deleteSession.run(database(), { session: sessionId, project: projectId });
  if (ended === 0) await refuseIfMoved(database(), projectId);
}
