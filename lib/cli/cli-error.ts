import type { ExitCode } from './exit-codes';

export interface CliErrorFields {
  /** What happened, in one sentence. */
  message: string;
  exitCode: ExitCode;
  /** Why; one or more sentences. */
  reason?: string | undefined;
  /** What to do next: a command or a sentence. */
  next?: string | undefined;
  /** For scripts that read the error as JSON. */
  code: string;
  requestId?: string | undefined;
}

/** An error that the person at the terminal can act on. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(readonly fields: CliErrorFields) {
    super(fields.message);
  }
}
