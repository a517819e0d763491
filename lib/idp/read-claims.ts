import * as z from 'zod';
import { EmailAddress, toAsciiDomain } from '@/lib/accounts/email-address';
import { Name } from '@/lib/platform/text';

/** A person as the provider vouches for them. */
export interface IdpPerson {
  issuer: string;
  /** The provider's permanent identifier for the person. */
  subject: string;
  /** Folded; null unless the provider says that it has verified exactly this address. */
  provenEmail: string | null;
  name: string | null;
  /** Domain of a workspace account, as it came. */
  hostedDomain: string | null;
}

/** OpenID Connect Core, section 2: at most 255 ASCII characters. */
const Subject = z.string().regex(/^[\x20-\x7e]{1,255}$/);
const HOSTED_DOMAIN_MAX_LENGTH = 253;

/**
 * Reads the claims of a checked ID token. Whatever is odd counts as absent, for nobody here can mend it: a name of 10,000
 * characters is no name.
 *
 * @returns null when the claims do not say who the person is
 */
export function readClaims(issuer: string, claims: Readonly<Record<string, unknown>>): IdpPerson | null {
  const subject = Subject.safeParse(claims.sub);
  if (!subject.success) return null;
  const name = Name.safeParse(claims.name);
  const { hd } = claims;
  return {
    issuer,
    subject: subject.data,
    provenEmail: provenEmailOf(claims),
    name: name.success ? name.data : null,
    hostedDomain: typeof hd === 'string' && hd.length <= HOSTED_DOMAIN_MAX_LENGTH ? hd : null,
  };
}

/**
 * What the provider has verified is the address it names. Folding may take another address to the same form, such as one
 * in full-width letters: that is another mailbox, and proves nothing here. Only the case of ASCII letters is passed over.
 */
function provenEmailOf({ email, email_verified: isVerified }: Readonly<Record<string, unknown>>): string | null {
  if (isVerified !== true || typeof email !== 'string') return null;
  const folded = EmailAddress.safeParse(email);
  const named = email.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const at = named.lastIndexOf('@') + 1;
  const address = named.slice(0, at) + toAsciiDomain(named.slice(at));
  return folded.success && folded.data === address ? address : null;
}
