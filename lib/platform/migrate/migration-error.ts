/** Why the database cannot be brought to this version's schema, in one line that says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
