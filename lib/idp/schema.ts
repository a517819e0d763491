import * as z from 'zod';

/** A provider with an OAuth client, for the button "Continue with …". */
export const SignInProvider = z.object({
  id: z.literal('idp').meta({ description: 'Always `idp`' }),
  name: z.string().meta({ description: 'The name of the provider', examples: ['Google'] }),
});
export type SignInProvider = z.infer<typeof SignInProvider>;

/** Ignores all other parameters: they must not reach the provider. */
export const StartIdpQuery = z.object({
  returnTo: z.string().optional().meta({ description: 'Path of the page to return to' }),
});

/** What a provider may send back (RFC 6749 section 4.1.2, RFC 9207). Tokens in the query are not accepted. */
export const IdpCallbackQuery = z.object({
  code: z.string().optional().meta({ description: 'The authorization code from the identity provider' }),
  state: z.string().optional().meta({ description: 'The state that was sent to the identity provider' }),
  iss: z.string().optional().meta({ description: 'The issuer of the response' }),
  error: z.string().optional().meta({ description: 'Why the identity provider refused the sign-in' }),
});
export type IdpCallbackQuery = z.infer<typeof IdpCallbackQuery>;
