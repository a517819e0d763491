/** The most audit entries that an export contains, the newest ones. See docs/specification.md#export-and-erasure. */
export const MAX_EXPORTED_AUDIT_ENTRIES = 10_000;
/** How far an export counts the audit entries. */
export const MAX_COUNTED_AUDIT_ENTRIES = 1_000_000;
