import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import * as z from 'zod';
import { EmailAddress, toAsciiDomain } from '@/lib/accounts/email-address';
import { config } from '@/lib/platform/config/config';
import { Name } from '@/lib/platform/text';

/** A person, as the provider describes them. */
export interface IdpPerson {
  issuer: string;
  /** The provider's permanent id of the person. */
  subject: string;
  /** Folded; null unless the provider has verified exactly this address. */
  verifiedEmail: string | null;
  name: string | null;
  /** The domain of a workspace account, as the provider sent it. */
  hostedDomain: string | null;
}

/** OpenID Connect Core, section 2: at most 255 ASCII characters. */
const Subject = z.string().regex(/^[\x20-\x7e]{1,255}$/);
const HOSTED_DOMAIN_MAX_LENGTH = 253;

/**
 * Reads the claims of a checked ID token. Treats an invalid optional claim as absent: the person could not correct it
 * here.
 *
 * @returns null when the claims do not identify the person
 */
export function readClaims(issuer: string, claims: Readonly<Record<string, unknown>>): IdpPerson | null {
  const subject = Subject.safeParse(claims.sub);
  if (!subject.success) return null;
  const name = Name.safeParse(claims.name);
  const domain = claims[config().IDP_OAUTH_ORGANIZATION_CLAIM];
  return {
    issuer,
    subject: subject.data,
    verifiedEmail: verifiedEmailOf(claims),
    name: name.success ? name.data : null,
    hostedDomain: typeof domain === 'string' && domain.length <= HOSTED_DOMAIN_MAX_LENGTH ? domain : null,
  };
}

/**
 * Returns the address that the provider has verified. Folding can turn a different address into the same form, such
 * as one in full-width letters. That is another mailbox, so it counts as unverified. Only the case of ASCII letters
 * is ignored.
 */
function verifiedEmailOf({ email, email_verified: isVerified }: Readonly<Record<string, unknown>>): string | null {
  if (isVerified !== true || typeof email !== 'string') return null;
  const folded = EmailAddress.safeParse(email);
  const named = email.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const at = named.lastIndexOf('@') + 1;
  const address = named.slice(0, at) + toAsciiDomain(named.slice(at));
  return folded.success && folded.data === address ? address : null;
}

const MAX_LENGTH = 100;
const SUFFIX = ' workspace';
const MAX_DOMAIN = 253;
const HOSTNAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/**
 * Names the organization of an account created through the provider: after the domain of a workspace account, else
 * after the person, else after the local part of the address.
 */
export function nameOrganization(person: { hostedDomain: string | null; name: string | null; email: string }): string {
  const label = person.hostedDomain === null ? null : nameOfDomain(person.hostedDomain);
  if (label !== null) return label;
  const owner = person.name ?? person.email.slice(0, person.email.lastIndexOf('@'));
  return `${cut(owner, MAX_LENGTH - SUFFIX.length)}${SUFFIX}`;
}

/** Returns the label before the public suffix, capitalized; null without one, as for a bare suffix or an IP address. */
function nameOfDomain(hostedDomain: string): string | null {
  // To convert a long one takes quadratic time.
  const ascii = hostedDomain.length <= MAX_DOMAIN ? domainToASCII(hostedDomain.trim()) : '';
  if (!HOSTNAME.test(ascii)) return null;
  const { domain, isIp } = parse(ascii, { allowPrivateDomains: true, extractHostname: false });
  if (isIp === true || !domain) return null;
  // Decodes the label with its suffix: alone, a label of digits would be read as an IP address.
  const [first = '', ...rest] = domainToUnicode(domain).split('.')[0] ?? '';
  const checked = Name.safeParse(first.toUpperCase() + rest.join(''));
  return checked.success ? checked.data : null;
}

/** Cuts to at most `length` UTF-16 units, without splitting a character. */
function cut(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}
