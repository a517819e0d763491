import * as z from 'zod';

/** A provider with an OAuth client, for the button "Continue with …". */
export const SignInProvider = z.object({ id: z.literal('idp'), name: z.string() });
export type SignInProvider = z.infer<typeof SignInProvider>;

/** Ignores all other parameters: they must not reach the provider. */
export const StartIdpQuery = z.object({ returnTo: z.string().optional() });

/** What a provider may send back (RFC 6749 section 4.1.2, RFC 9207). Tokens in the query are not accepted. */
export const IdpCallbackQuery = z.object({
  code: z.string().optional(),
  state: z.string().optional(),
  iss: z.string().optional(),
  error: z.string().optional(),
});
export type IdpCallbackQuery = z.infer<typeof IdpCallbackQuery>;
