/** Why the embedded PostgreSQL cannot run, in one line that says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
