import * as z from 'zod';
import { field } from '@/lib/platform/field';

/** A provider with an OAuth client, for the button "Continue with …". */
export const SignInProvider = z.object({
  id: field(z.literal('idp'), 'Always `idp`'),
  name: field(z.string(), 'The name of the provider', 'Google'),
});
export type SignInProvider = z.infer<typeof SignInProvider>;

/** Ignores all other parameters: they must not reach the provider. */
export const StartIdpQuery = z.object({
  returnTo: field(z.string().optional(), 'Path of the page to return to'),
});

/** What a provider may send back (RFC 6749 section 4.1.2, RFC 9207). Tokens in the query are not accepted. */
export const IdpCallbackQuery = z.object({
  code: field(z.string().optional(), 'The authorization code from the identity provider'),
  state: field(z.string().optional(), 'The state that was sent to the identity provider'),
  iss: field(z.string().optional(), 'The issuer of the response'),
  error: field(z.string().optional(), 'Why the identity provider refused the sign-in'),
});
export type IdpCallbackQuery = z.infer<typeof IdpCallbackQuery>;
