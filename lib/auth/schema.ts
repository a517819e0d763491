import * as z from 'zod';
import { EmailAddress } from '@/lib/accounts/email-address';
import { NewPassword, PresentedPassword, User } from '@/lib/accounts/schema';
import { OrganizationSummary } from '@/lib/orgs/schema';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Time } from '@/lib/platform/instant';
import { Name } from '@/lib/platform/text';

export const RegisterBody = z
  .strictObject({
    email: field(EmailAddress, 'An email address, case-insensitive'),
    password: field(
      NewPassword,
      'At least 10 characters by default and at most 72 bytes; common passwords are rejected',
    ),
    name: field(Name.optional(), 'The person’s name'),
    organizationName: field(Name.optional(), 'Default: derived from the person’s name'),
    invitationToken: field(
      z.string().min(1).max(256).optional(),
      'Token of an invitation to this address: no organization is created, and the invitation can be accepted next',
    ),
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
  email: field(EmailAddress, 'An email address, case-insensitive', 'grace@example.com'),
  password: field(PresentedPassword, 'The password', 'seven tall ships'),
});
export type LoginBody = z.infer<typeof LoginBody>;

/** Read only when the request has no refresh cookie. */
export const RefreshBody = z.strictObject({
  refreshToken: field(
    z.string().min(1).max(256).optional(),
    'Used only if the request has no refresh cookie',
    'rt_9sKd2',
  ),
});
export type RefreshBody = z.infer<typeof RefreshBody>;

export const SwitchOrganizationBody = z.strictObject({ organizationId: field(Id, 'The organization') });
export type SwitchOrganizationBody = z.infer<typeof SwitchOrganizationBody>;

/** The response to every sign-in, refresh and switch of organization. */
export const SignedIn = z.object({
  accessToken: field(z.string(), 'Send it as `Authorization: Bearer …`', 'eyJhbGciOiJFZERTQSJ9.payload.signature'),
  tokenType: field(z.literal('Bearer'), 'How to send the access token'),
  expiresIn: field(z.number().int(), 'Seconds until the access token expires', 900),
  user: field(User, 'The person'),
  organization: field(OrganizationSummary.nullable(), 'The organization of the session; null for a person without one'),
  refreshToken: field(
    z.string().optional(),
    'Present only if the refresh token was sent in the body; browsers keep theirs in the cookie',
    'rt_9sKd2',
  ),
});
export type SignedIn = z.infer<typeof SignedIn>;

/** The session of a browser, or why it has none. */
export const RestoredSession = z.object({
  session: field(SignedIn.nullable(), 'The tokens of the session; null if none is open'),
  ended: field(
    z.enum(['closed', 'expired']).nullable(),
    'Why the cookie’s session has ended; null if it is open or there is no cookie',
  ),
});
export type RestoredSession = z.infer<typeof RestoredSession>;

export const Me = z.object({
  user: field(User, 'The person'),
  organizations: field(z.array(OrganizationSummary), 'The person’s organizations'),
});
export type Me = z.infer<typeof Me>;

/** An open session of the caller. */
export const Session = z.object({
  id: Id,
  method: field(z.enum(['PASSWORD', 'IDP', 'DEVICE']), 'How the person signed in'),
  createdAt: CreatedAt,
  lastUsedAt: field(Time, 'When it was last used'),
  ipAddress: field(z.string().nullable(), 'The IP address of the request; null if unknown', '203.0.113.7'),
  userAgent: field(z.string().nullable(), 'As sent by the client, truncated to 512 characters', 'curl/8.5.0'),
  device: field(z.string(), 'Such as `Chrome on macOS` or `CLI on build-box`', 'Chrome on macOS'),
  current: field(z.boolean(), 'Whether this request belongs to the session'),
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
  clientName: field(
    Name.optional(),
    'Name of the client, such as the name of its machine; shown to the person who approves it',
    'build-box',
  ),
});
export type StartDeviceBody = z.infer<typeof StartDeviceBody>;

/** The start of a device sign-in (RFC 8628 section 3.2). */
export const DeviceCodes = z.object({
  deviceCode: field(z.string(), 'The secret code that the client polls with', 'dGhlIGNsaWVudCBrZWVwcyB0aGlz'),
  userCode: field(z.string(), 'The code that the person types, as `XXXX-XXXX`', 'BCDF-GHJK'),
  verificationUri: field(z.string(), 'Where the person types the user code', 'https://events.example.com/device'),
  verificationUriComplete: field(
    z.string(),
    'The same URL with the user code filled in',
    'https://events.example.com/device?userCode=BCDF-GHJK',
  ),
  expiresIn: field(z.number().int(), 'Seconds until both codes expire', 600),
  interval: field(z.number().int(), 'Seconds to wait between polls', 5),
});
export type DeviceCodes = z.infer<typeof DeviceCodes>;

/** A code as a person types it: case, dashes and spaces do not matter. */
export const UserCodeBody = z.strictObject({
  userCode: field(
    z.string().min(1, 'must not be empty').max(64, 'is too long'),
    'The code that the person types; case, dashes and spaces are ignored',
    'BCDF-GHJK',
  ),
});
export type UserCodeBody = z.infer<typeof UserCodeBody>;

/** The request behind a user code, as the person sees it. */
export const DeviceRequest = z.object({
  clientName: field(z.string().nullable(), 'Name of the client, shown to the person who approves it', 'build-box'),
  ipAddress: field(z.string().nullable(), 'The IP address of the request; null if unknown', '203.0.113.7'),
  createdAt: CreatedAt,
  expiresAt: field(Time, 'When it expires', '2036-01-31T09:30:00.000Z'),
});
export type DeviceRequest = z.infer<typeof DeviceRequest>;

export const DeviceTokenBody = z.strictObject({
  deviceCode: field(
    z.string().min(1, 'must not be empty').max(256, 'is too long'),
    'The secret code to exchange for tokens',
    'dGhlIGNsaWVudCBrZWVwcyB0aGlz',
  ),
});
export type DeviceTokenBody = z.infer<typeof DeviceTokenBody>;
