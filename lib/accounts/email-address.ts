import * as z from 'zod';
import { parseUrl } from '@/lib/platform/net/parse-url';

/** The longest address that a mail server must accept (RFC 5321, erratum 1690), in characters. */
const EMAIL_MAX_LENGTH = 254;

/*
 * An unquoted local part of at most 64 characters, and a domain with at least one dot. Letters of any script are
 * allowed. Spaces, controls, quotes, angle brackets and commas are not: they could forge a header or a list of
 * recipients.
 */
const LOCAL_PART = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\\.[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+)*";
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?';
const ADDRESS = new RegExp(`^(?=.{1,64}@)${LOCAL_PART}@(?:${LABEL}\\.)+${LABEL}$`, 'u');

const NON_ASCII = /[^\0-\x7f]/;

/**
 * Returns the one form of an address that is stored, compared and mailed to, without differences in case, surrounding
 * spaces and compatibility forms. Mail never goes to the typed form: two spellings that fold together could be two
 * mailboxes.
 */
export function foldEmail(typed: string): string {
  // Lower-casing can create sequences that NFKC would join, so normalize twice.
  const folded = typed.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
  const at = folded.lastIndexOf('@') + 1;
  return at === 0 ? folded : folded.slice(0, at) + toAsciiDomain(folded.slice(at));
}

/** Returns the domain in the form mail servers know: `münchen.example` and `xn--mnchen-3ya.example` are one. */
export function toAsciiDomain(domain: string): string {
  const hostname = NON_ASCII.test(domain) ? parseUrl(`http://${domain}`)?.hostname : undefined;
  return hostname !== undefined && /^xn--|\.xn--/.test(hostname) ? hostname : domain;
}

/** An address in a body: folded, then checked. */
export const EmailAddress = z
  .string()
  .max(1024, 'is too long')
  .transform(foldEmail)
  .pipe(
    z
      .string()
      .max(EMAIL_MAX_LENGTH, `must have at most ${EMAIL_MAX_LENGTH} characters`)
      .regex(ADDRESS, 'must be an email address')
      .meta({ format: 'email' }),
  );
