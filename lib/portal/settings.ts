import type { PersonCaller } from '@/lib/audit/caller';
import { portalLogoPath } from '@/lib/orgs/portal-settings-policy';
import { updateProject } from '@/lib/orgs/projects';
import type { Project, UpdateProjectBody } from '@/lib/orgs/schema';
import { SECOND_MS } from '@/lib/platform/clock';
import { withoutShare } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { isId } from '@/lib/platform/ids';
import { TimedCache } from '@/lib/platform/timed-cache';
import { fetchLogo } from './fetch-logo';
import type { PortalTheme } from './schema';
import { findAllowedOrigins, findLogo, findPortalSettings } from './settings-sql';

/** Changes the fields of a project that the body names, with the logo at its URL. @throws AppError not_found, validation_failed, rate_limited */
export async function updateProjectSettings(
  caller: PersonCaller,
  projectId: string,
  body: UpdateProjectBody,
): Promise<Project> {
  const logoUrl = body.portal?.logoUrl ?? null;
  const logo = logoUrl === null ? undefined : await fetchLogo(caller, projectId, logoUrl);
  return updateProject(caller, projectId, body, logo);
}

/** Returns how the portal of a project looks. @throws AppError not_found */
export async function portalSettingsOf(projectId: string): Promise<PortalTheme> {
  const row = await findPortalSettings.first(database(), { project: projectId });
  if (row === undefined) throw notFound('project');
  return { name: row.name, accentColor: row.accent_color, logoUrl: portalLogoPath(row.logo_hash) };
}

/** An HMAC-SHA-256 in base64url. */
const HASH = /^[\w-]{43}$/;

/** Reads a logo by its hash. @throws AppError not_found */
export async function getLogo(hash: string): Promise<{ mediaType: string; content: Buffer }> {
  const row = HASH.test(hash) ? await findLogo.first(database(), { hash }) : undefined;
  if (row === undefined) throw notFound('logo');
  return { mediaType: row.media_type, content: row.content };
}

/** Half of the time within which a change takes effect (docs/specification.md#portal). */
const CACHE_MS = 5 * SECOND_MS;
/** A project has at most 6 KB of origins, and an unknown one none. */
const MAX_CACHED = 2_000;

/** Returns the origins that may frame the portal of a project; none for an unknown one. At most five seconds old. */
export async function allowedOriginsOf(projectId: string): Promise<readonly string[]> {
  return isId(projectId) ? allowedOrigins().get(projectId) : [];
}

const allowedOrigins = () =>
  once('portal-origins', () => {
    // Others may wait for it, and not in the share of whoever asks first.
    const read = (project: string) =>
      withoutShare(async () => (await findAllowedOrigins.first(database(), { project }))?.origins ?? []);
    return new TimedCache(read, CACHE_MS, MAX_CACHED);
  });
