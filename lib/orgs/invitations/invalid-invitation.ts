import { AppError } from '@/lib/platform/errors';

/** One error for every unusable token: different ones would reveal which invitations exist. */
export function invalidInvitation(): AppError {
  return new AppError(
    'invalid_token',
    'This invitation is not valid: it is for another address, was used, revoked or replaced, or has expired.',
  );
}
