import * as z from 'zod';
import { EmailAddress } from '@/lib/accounts/email-address';
import { NewPassword, PresentedPassword, User } from '@/lib/accounts/schema';
import { OrganizationSummary } from '@/lib/orgs/schema';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Time } from '@/lib/platform/instant';
import { Name } from '@/lib/platform/text';

export const RegisterBody = z
  .strictObject({
    email: EmailAddress.meta({ description: 'An email address, case-insensitive' }),
    password: NewPassword.meta({
      description: 'At least 10 characters by default and at most 72 bytes; common passwords are rejected',
    }),
    name: Name.optional().meta({ description: 'The person’s name' }),
    organizationName: Name.optional().meta({ description: 'Default: derived from the person’s name' }),
    invitationToken: z.string().min(1).max(256).optional().meta({
      description:
        'Token of an invitation to this address: no organization is created, and the invitation can be accepted next',
    }),
  })
  .meta({
    examples: [
      {
        email: 'grace@example.com',
        password: 'seven tall ships',
        name: 'Grace Hopper',
        organizationName: 'Analytical Engines',
      },
    ],
  });
export type RegisterBody = z.infer<typeof RegisterBody>;

export const LoginBody = z.strictObject({
  email: EmailAddress.meta({ description: 'An email address, case-insensitive', examples: ['grace@example.com'] }),
  password: PresentedPassword.meta({ description: 'The password', examples: ['seven tall ships'] }),
});
export type LoginBody = z.infer<typeof LoginBody>;

/** Read only when the request has no refresh cookie. */
export const RefreshBody = z.strictObject({
  refreshToken: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta({ description: 'Used only if the request has no refresh cookie', examples: ['rt_9sKd2'] }),
});
export type RefreshBody = z.infer<typeof RefreshBody>;

export const SwitchOrganizationBody = z.strictObject({ organizationId: Id.meta({ description: 'The organization' }) });
export type SwitchOrganizationBody = z.infer<typeof SwitchOrganizationBody>;

/** The response to every sign-in, refresh and switch of organization. */
export const SignedIn = z.object({
  accessToken: z.string().meta({
    description: 'Send it as `Authorization: Bearer …`',
    examples: ['eyJhbGciOiJFZERTQSJ9.payload.signature'],
  }),
  tokenType: z.literal('Bearer').meta({ description: 'How to send the access token' }),
  expiresIn: z
    .number()
    .int()
    .meta({ description: 'Seconds until the access token expires', examples: [900] }),
  user: User.meta({ description: 'The person' }),
  organization: OrganizationSummary.nullable().meta({
    description: 'The organization of the session; null for a person without one',
  }),
  refreshToken: z
    .string()
    .optional()
    .meta({
      description: 'Present only if the refresh token was sent in the body; browsers keep theirs in the cookie',
      examples: ['rt_9sKd2'],
    }),
});
export type SignedIn = z.infer<typeof SignedIn>;

/** The session of a browser, or why it has none. */
export const RestoredSession = z.object({
  session: SignedIn.nullable().meta({ description: 'The tokens of the session; null if none is open' }),
  ended: z
    .enum(['closed', 'expired'])
    .nullable()
    .meta({ description: 'Why the cookie’s session has ended; null if it is open or there is no cookie' }),
});
export type RestoredSession = z.infer<typeof RestoredSession>;

export const Me = z.object({
  user: User.meta({ description: 'The person' }),
  organizations: z.array(OrganizationSummary).meta({ description: 'The person’s organizations' }),
});
export type Me = z.infer<typeof Me>;

/** An open session of the caller. */
export const Session = z.object({
  id: Id,
  method: z.enum(['PASSWORD', 'IDP', 'DEVICE']).meta({ description: 'How the person signed in' }),
  createdAt: CreatedAt,
  lastUsedAt: Time.meta({ description: 'When it was last used' }),
  ipAddress: z
    .string()
    .nullable()
    .meta({ description: 'The IP address of the request; null if unknown', examples: ['203.0.113.7'] }),
  userAgent: z
    .string()
    .nullable()
    .meta({ description: 'As sent by the client, truncated to 512 characters', examples: ['curl/8.5.0'] }),
  device: z
    .string()
    .meta({ description: 'Such as `Chrome on macOS` or `CLI on build-box`', examples: ['Chrome on macOS'] }),
  current: z.boolean().meta({ description: 'Whether this request belongs to the session' }),
});
export type Session = z.infer<typeof Session>;

export const CloseSessionsQuery = z.strictObject({
  keepCurrent: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((value) => value === 'true')
    .meta({ openapi: { type: 'boolean', default: false }, description: 'Whether the current session stays open' }),
});

export const StartDeviceBody = z.strictObject({
  clientName: Name.optional().meta({
    description: 'Name of the client, such as the name of its machine; shown to the person who approves it',
    examples: ['build-box'],
  }),
});
export type StartDeviceBody = z.infer<typeof StartDeviceBody>;

/** The start of a device sign-in (RFC 8628 section 3.2). */
export const DeviceCodes = z.object({
  deviceCode: z
    .string()
    .meta({ description: 'The secret code that the client polls with', examples: ['dGhlIGNsaWVudCBrZWVwcyB0aGlz'] }),
  userCode: z.string().meta({ description: 'The code that the person types, as `XXXX-XXXX`', examples: ['BCDF-GHJK'] }),
  verificationUri: z
    .string()
    .meta({ description: 'Where the person types the user code', examples: ['https://events.example.com/device'] }),
  verificationUriComplete: z.string().meta({
    description: 'The same URL with the user code filled in',
    examples: ['https://events.example.com/device?userCode=BCDF-GHJK'],
  }),
  expiresIn: z
    .number()
    .int()
    .meta({ description: 'Seconds until both codes expire', examples: [600] }),
  interval: z
    .number()
    .int()
    .meta({ description: 'Seconds to wait between polls', examples: [5] }),
});
export type DeviceCodes = z.infer<typeof DeviceCodes>;

/** A code as a person types it: case, dashes and spaces do not matter. */
export const UserCodeBody = z.strictObject({
  userCode: z
    .string()
    .min(1, 'must not be empty')
    .max(64, 'is too long')
    .meta({
      description: 'The code that the person types; case, dashes and spaces are ignored',
      examples: ['BCDF-GHJK'],
    }),
});
export type UserCodeBody = z.infer<typeof UserCodeBody>;

/** The request behind a user code, as the person sees it. */
export const DeviceRequest = z.object({
  clientName: z
    .string()
    .nullable()
    .meta({ description: 'Name of the client, shown to the person who approves it', examples: ['build-box'] }),
  ipAddress: z
    .string()
    .nullable()
    .meta({ description: 'The IP address of the request; null if unknown', examples: ['203.0.113.7'] }),
  createdAt: CreatedAt,
  expiresAt: Time.meta({ description: 'When it expires', examples: ['2036-01-31T09:30:00.000Z'] }),
});
export type DeviceRequest = z.infer<typeof DeviceRequest>;

export const DeviceTokenBody = z.strictObject({
  deviceCode: z
    .string()
    .min(1, 'must not be empty')
    .max(256, 'is too long')
    .meta({ description: 'The secret code to exchange for tokens', examples: ['dGhlIGNsaWVudCBrZWVwcyB0aGlz'] }),
});
export type DeviceTokenBody = z.infer<typeof DeviceTokenBody>;
