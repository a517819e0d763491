/** An error that the operator can fix: its message is printed without a stack. */
export class StartupError extends Error {
  name = 'StartupError';
}

/** Errors with a message for the operator. Compared by name: a bundle contains its own copy of each class. */
export const EXPECTED_ERRORS = [
  'StartupError',
  'ConfigError',
  'MigrationError',
  'EmbeddedPostgresError',
  'BackupError',
];
