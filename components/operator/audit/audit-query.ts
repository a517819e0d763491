/** The filters as they are typed. */
export interface AuditFilterValues {
  action: string | undefined;
  organizationId: string;
  actorId: string;
  /** As an `<input type="datetime-local">` writes it, in the reader's zone. */
  from: string;
  to: string;
}

export const NO_FILTERS: AuditFilterValues = { action: undefined, organizationId: '', actorId: '', from: '', to: '' };

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a typed id is one, or none was typed yet. */
export function isIdOrEmpty(typed: string): boolean {
  return typed.trim() === '' || ID.test(typed.trim());
}

/** The filters as the API takes them; an id that is not typed to its end yet filters nothing. */
export function toQuery(filters: AuditFilterValues): Record<string, string | undefined> {
  return {
    action: filters.action,
    organizationId: idOf(filters.organizationId),
    actorId: idOf(filters.actorId),
    from: instantOf(filters.from, 0),
    // To the end of the minute that is named.
    to: instantOf(filters.to, 59_999),
  };
}

function idOf(typed: string): string | undefined {
  return ID.test(typed.trim()) ? typed.trim() : undefined;
}

function instantOf(local: string, plusMs: number): string | undefined {
  const at = Date.parse(local);
  // Years beyond four digits can be typed, and are no time of the API.
  return Number.isNaN(at) || at < 0 || at > 8.64e13 ? undefined : new Date(at + plusMs).toISOString();
}
