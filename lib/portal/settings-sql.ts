import { bytes, nullable, text, texts, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

const LIVE_PROJECT = `FROM projects p JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
   WHERE p.id = $project AND p.deleted_at IS NULL`;

/** Finds how the portal of a live project looks. */
export const findPortalSettings = statement(
  `SELECT coalesce(p.portal_name, p.name) AS name, p.portal_accent_color AS accent_color, p.portal_logo_hash AS logo_hash ${LIVE_PROJECT}`,
  {
    params: { project: uuid },
    columns: { name: text, accent_color: nullable(text), logo_hash: nullable(text) },
  },
);

/** Finds which origins may frame the portal of a live project. */
export const findAllowedOrigins = statement(
  `SELECT coalesce(p.portal_allowed_origins, '{}') AS origins ${LIVE_PROJECT}`,
  {
    params: { project: uuid },
    columns: { origins: texts },
  },
);

/** Finds a logo by its hash. */
export const findLogo = statement('SELECT media_type, content FROM portal_logos WHERE hash = $hash LIMIT 1', {
  params: { hash: text },
  columns: { media_type: text, content: bytes },
});
