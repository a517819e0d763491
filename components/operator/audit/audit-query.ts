/** The typed filters. */
export interface AuditFilterValues {
  action: string | undefined;
  organizationId: string;
  actorId: string;
  /** The value of an `<input type="datetime-local">`, in the reader's time zone. */
  from: string;
  to: string;
}

export const NO_FILTERS: AuditFilterValues = { action: undefined, organizationId: '', actorId: '', from: '', to: '' };

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a typed id is complete or empty. */
export function isIdOrEmpty(typed: string): boolean {
  return typed.trim() === '' || ID.test(typed.trim());
}

/** Returns the query parameters of the API. An incomplete id filters nothing. */
export function toQuery(filters: AuditFilterValues): Record<string, string | undefined> {
  return {
    action: filters.action,
    organizationId: idOf(filters.organizationId),
    actorId: idOf(filters.actorId),
    from: instantOf(filters.from, 0),
    // To the end of the named minute.
    to: instantOf(filters.to, 59_999),
  };
}

function idOf(typed: string): string | undefined {
  return ID.test(typed.trim()) ? typed.trim() : undefined;
}

function instantOf(local: string, plusMs: number): string | undefined {
  const at = Date.parse(local);
  // The browser accepts years of five digits, the API does not.
  return Number.isNaN(at) || at < 0 || at > 8.64e13 ? undefined : new Date(at + plusMs).toISOString();
}
