/** An error that the operator can fix: its message is printed without a stack. */
export class StartupError extends Error {
  name = 'StartupError';
}

/** Errors with a message for the operator. Compared by name: a bundle contains its own copy of each class. */
const EXPECTED = [
  'StartupError',
  'ConfigError',
  'MigrationError',
  'EmbeddedPostgresError',
  'BackupError',
  'MoveError',
  'DistributeError',
];

/**
 * Prints the message of an expected error, or the stack of any other, and ends this process with 1.
 *
 * @param {unknown} error
 * @returns {never}
 */
export function exitWith(error) {
  const isExpected = error instanceof Error && EXPECTED.includes(error.name);
  process.stderr.write(`${isExpected ? error.message : (error?.stack ?? error)}\n`);
  process.exit(1);
}
