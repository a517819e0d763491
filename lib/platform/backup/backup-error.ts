/** Why a backup cannot be made or restored, in a line that says what to do. Printed without a stack. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
