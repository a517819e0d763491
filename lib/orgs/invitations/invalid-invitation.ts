import { AppError } from '@/lib/platform/errors';

/** The one refusal of a token, whatever is the matter with it (CONTRACT 10). */
export function invalidInvitation(): AppError {
  return new AppError(
    'invalid_token',
    'This invitation is not valid: it is for another address, was used, withdrawn or replaced, or has expired.',
  );
}
