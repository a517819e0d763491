import { CliError } from '@/lib/cli/cli-error';
import { EXIT } from '@/lib/cli/exit-codes';

/** Returns the error of an input that cannot be used. @param next what to do about it */
export function usageError(message: string, next?: string): CliError {
  return new CliError({ message, code: 'usage', exitCode: EXIT.usage, next });
}
