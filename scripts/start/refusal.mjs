/** A fault that the person at the terminal can fix: its message is shown alone, without a stack. */
export class Refusal extends Error {
  name = 'Refusal';
}

/** Errors whose message is meant for that person. By name: the bundle holds its own copy of each class. */
export const EXPECTED_ERRORS = ['Refusal', 'ConfigError', 'MigrationError', 'EmbeddedPostgresError'];
