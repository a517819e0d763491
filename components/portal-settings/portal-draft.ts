import { ApiError } from '@/components/auth-session/api-error';
import { changed } from '@/components/form/changed';
import type { PortalSettings } from '@/lib/orgs/schema';

/** The settings as a form has them: text only. */
export interface PortalDraft {
  name: string;
  accentColor: string;
  logoUrl: string;
  /** One in a line. */
  allowedOrigins: string;
}

export function draftOf({ name, accentColor, logoUrl, allowedOrigins }: PortalSettings): PortalDraft {
  return {
    name: name ?? '',
    accentColor: accentColor ?? '',
    logoUrl: logoUrl ?? '',
    allowedOrigins: allowedOrigins.join('\n'),
  };
}

export const linesOf = (text: string): string[] => text.split(/\s+/).filter((line) => line !== '');

/**
 * What a request changes. A member that stays the same is left out: the service would fetch the logo again.
 * @param before what the form showed at first: someone else may have saved since
 */
export function changedMembers(draft: PortalDraft, before: PortalDraft): Partial<PortalSettings> {
  return changed(settingsOf(draft), settingsOf(before));
}

function settingsOf({ name, accentColor, logoUrl, allowedOrigins }: PortalDraft): Omit<PortalSettings, 'logoPath'> {
  return {
    name: name.trim() || null,
    accentColor: accentColor.trim() || null,
    logoUrl: logoUrl.trim() || null,
    allowedOrigins: linesOf(allowedOrigins),
  };
}

/** Names the fields of the form in an error of the API, and the origin that is wrong. */
export function atFields(error: unknown, { allowedOrigins }: PortalDraft): unknown {
  if (!(error instanceof ApiError)) return error;
  const origins = linesOf(allowedOrigins);
  const errors = error.errors.map(({ path, message }) => {
    const [, field = path, index] = /^portal\.(\w+)(?:\.(\d+))?$/.exec(path) ?? [];
    return { path: field, message: index === undefined ? message : `${origins[Number(index)]} ${message}` };
  });
  return new ApiError({ ...error, errors });
}

const HEX = /^#[0-9a-f]{6}$/i;

/** The accent that a draft names; null while it is not a complete color. */
export const accentOf = ({ accentColor }: PortalDraft): string | null =>
  HEX.test(accentColor.trim()) ? accentColor.trim().toLowerCase() : null;
