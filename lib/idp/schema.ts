import * as z from 'zod';

/** A provider that the deployment has an OAuth client for: what the button "Continue with …" is drawn from. */
export const SignInProvider = z.object({ id: z.literal('idp'), name: z.string() });
export type SignInProvider = z.infer<typeof SignInProvider>;

/** Whatever else the query holds has no effect: it must not reach the provider. */
export const StartIdpQuery = z.object({ returnTo: z.string().optional() });

/** What a provider may send back (RFC 6749 section 4.1.2, RFC 9207); tokens in the query are not among it. */
export const IdpCallbackQuery = z.object({
  code: z.string().optional(),
  state: z.string().optional(),
  iss: z.string().optional(),
  error: z.string().optional(),
});
export type IdpCallbackQuery = z.infer<typeof IdpCallbackQuery>;
