/** The most audit entries that an export contains, the newest ones. See docs/specification.md#export-and-erasure. */
export const MAX_EXPORTED_AUDIT_ENTRIES = 10_000;
