import * as z from 'zod';

/** Longest address a mail server must take (RFC 5321, erratum 1690), in characters. */
const EMAIL_MAX_LENGTH = 254;

/*
 * An unquoted local part of at most 64 characters, and a domain of labels with at least one dot: what people have.
 * Letters of any script pass; spaces, controls, quotes, angle brackets and commas, with which a header or a list of
 * recipients could be forged, do not.
 */
const LOCAL_PART = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\\.[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+)*";
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?';
const ADDRESS = new RegExp(`^(?=.{1,64}@)${LOCAL_PART}@(?:${LABEL}\\.)+${LABEL}$`, 'u');

const NON_ASCII = /[^\0-\x7f]/;

/**
 * The one form of an address that is stored, compared and written to: case, surrounding spaces and compatibility forms
 * never matter (CONTRACT 10). Mail goes to this form too, never to what was typed: two spellings that fold together
 * must not be two mailboxes.
 */
export function foldEmail(typed: string): string {
  // Lower-casing can leave what NFKC would join, hence twice.
  const folded = typed.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
  const at = folded.lastIndexOf('@') + 1;
  return at === 0 ? folded : folded.slice(0, at) + toAsciiDomain(folded.slice(at));
}

/** `münchen.example` and `xn--mnchen-3ya.example` are one domain, and the second is what mail servers know. */
export function toAsciiDomain(domain: string): string {
  if (!NON_ASCII.test(domain) || !URL.canParse(`http://${domain}`)) return domain;
  const { hostname } = new URL(`http://${domain}`);
  return /^xn--|\.xn--/.test(hostname) ? hostname : domain;
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
