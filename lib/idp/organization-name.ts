import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { Name } from '@/lib/platform/text';

const MAX_LENGTH = 100;
const SUFFIX = ' workspace';
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
  const ascii = domainToASCII(hostedDomain.trim());
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
