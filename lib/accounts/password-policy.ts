import { config } from '@/lib/platform/config/config';
import { fieldError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { PASSWORD_MAX_BYTES } from '@/lib/platform/hashing/passwords';
import { foldEmail } from './email-address';

const PASSWORD_MAX_LENGTH = 128;
/** One character repeated up to this often counts as common: guessing lists hold no longer ones. */
const COMMON_REPETITION = 32;

/**
 * Refuses a password for the account of `email` when it is shorter than AUTH_PASSWORD_MIN_LENGTH, longer than bcrypt
 * reads, common, or the address itself. There are no composition rules. See docs/specification.md#people.
 *
 * @param path the field of the body with the password
 * @throws AppError validation_failed
 */
export async function refuseWeakPassword(password: string, email: string, path = 'password'): Promise<void> {
  const fault = faultOfForm(password) ?? (await faultOfContent(password, email));
  if (fault !== null) throw fieldError(path, fault);
}

function faultOfForm(password: string): string | null {
  // bcrypt repeats a short key: with U+0000 in it, a password would equal its doubling.
  if (password.includes('\0')) return 'must not contain a null character';
  // UTF-8 turns every lone surrogate into U+FFFD: passwords that differ in one would be equal.
  if (!password.isWellFormed()) return 'must not contain an incomplete character';
  const length = [...password].length;
  const minLength = config().AUTH_PASSWORD_MIN_LENGTH;
  if (length < minLength) return `must have at least ${minLength} characters`;
  if (length > PASSWORD_MAX_LENGTH) return `must have at most ${PASSWORD_MAX_LENGTH} characters`;
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) {
    return `must have at most ${PASSWORD_MAX_BYTES} bytes in UTF-8: letters with accents and emoji take 2 to 4 each`;
  }
  return null;
}

async function faultOfContent(password: string, email: string): Promise<string | null> {
  if (password.trim() === '') return 'must not consist only of spaces';
  if (foldEmail(password) === email) return 'must not be the email address';
  if (isRepetition(password) || (await commonPasswords()).has(password.trim().toLowerCase())) {
    return 'is too common. Choose one that nobody would guess';
  }
  return null;
}

function isRepetition(password: string): boolean {
  const characters = [...password.trim().toLowerCase()];
  return characters.length <= COMMON_REPETITION && new Set(characters).size === 1;
}

/** Loads some 50,000 words when the first password is set, and keeps those that are long enough. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  return once('common-passwords', async () => {
    const { dictionary } = await import('@zxcvbn-ts/language-common');
    const shortest = config().AUTH_PASSWORD_MIN_LENGTH;
    return new Set(dictionary['passwords-common'].filter((word) => word.length >= shortest));
  });
}
