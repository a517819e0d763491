/** Why a backup cannot be made or restored, in a line that says what to do. Printed without a stack. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Returns the error for a file that is no complete, unchanged backup. */
export function damaged(reason: string): BackupError {
  return new BackupError(`The backup is damaged: ${reason}. Use another copy of it.`);
}
