/** How the process ends. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  notSignedIn: 4,
  forbidden: 5,
  rateLimited: 6,
  network: 7,
  /** Ctrl-C, as shells count signals: 128 + SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

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

/** Returns the error of an input that cannot be used. @param next what to do about it */
export function usageError(message: string, next?: string): CliError {
  return new CliError({ message, code: 'usage', exitCode: EXIT.usage, next });
}

export function notSignedIn(message: string, reason?: string): CliError {
  return new CliError({ message, reason, code: 'not_signed_in', exitCode: EXIT.notSignedIn, next: 'eds login' });
}
