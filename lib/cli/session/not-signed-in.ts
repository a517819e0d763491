import { CliError } from '@/lib/cli/cli-error';
import { EXIT } from '@/lib/cli/exit-codes';

export function notSignedIn(message: string, reason?: string): CliError {
  return new CliError({ message, reason, code: 'not_signed_in', exitCode: EXIT.notSignedIn, next: 'eds login' });
}
