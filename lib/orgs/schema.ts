import * as z from 'zod';
import { EmailAddress } from '@/lib/accounts/email-address';
import { ROLES } from '@/lib/audit/types';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Time, UpdatedAt } from '@/lib/platform/instant';
import { Name, text } from '@/lib/platform/text';
import { allowedOriginFault, logoUrlFault, MAX_ALLOWED_ORIGINS } from './portal-settings-policy';

export const RoleName = z.enum(ROLES).meta({ examples: ['DEVELOPER'] });

/** An organization in a list, with the role of the person who asks. */
export const OrganizationSummary = z.object({
  id: Id,
  name: field(z.string(), 'Its name', 'Analytical Engines'),
  role: field(RoleName, 'The person’s role in the organization'),
});
export type OrganizationSummary = z.infer<typeof OrganizationSummary>;

export const Organization = OrganizationSummary.extend({ createdAt: CreatedAt });
export type Organization = z.infer<typeof Organization>;

export const CreateOrganizationBody = z.strictObject({
  name: field(Name, 'Its name', 'Analytical Engines'),
});
export type CreateOrganizationBody = z.infer<typeof CreateOrganizationBody>;

export const UpdateOrganizationBody = z.strictObject({
  name: field(Name.optional(), 'Its name', 'Analytical Engines'),
});
export type UpdateOrganizationBody = z.infer<typeof UpdateOrganizationBody>;

const PORTAL = {
  name: 'The name at the top of the portal, such as that of your company; null for that of the project',
  accentColor: 'The color of buttons and links, as #rrggbb. The portal darkens or lightens it until it can be read',
  logoUrl: 'Where the service fetches the logo: a PNG, JPEG or WebP image of at most 64 KiB, at an https URL',
  allowedOrigins: 'The origins whose pages may frame the portal',
  example: {
    accentColor: '#3350d0',
    logoUrl: 'https://www.example.com/logo.png',
    origins: ['https://app.example.com'],
  },
};

/** How the portal of a project looks, and which pages may frame it. */
export const PortalSettings = z.object({
  name: field(z.string().nullable(), PORTAL.name, 'Analytical Engines'),
  accentColor: field(z.string().nullable(), PORTAL.accentColor, PORTAL.example.accentColor),
  logoUrl: field(z.string().nullable(), PORTAL.logoUrl, PORTAL.example.logoUrl),
  logoPath: field(
    z.string().nullable(),
    'The path at which the service serves the logo that it fetched',
    '/api/v1/portal/logos/kz0Xr2bQk1lY0u4q5n3v7AkZ0Xr2bQk1lY0u4q5n3v7',
  ),
  allowedOrigins: field(z.array(z.string()), PORTAL.allowedOrigins, PORTAL.example.origins),
});
export type PortalSettings = z.infer<typeof PortalSettings>;

const checkedText = (max: number, findFault: (value: string) => string | null) =>
  text(max).superRefine((value, context) => {
    const fault = findFault(value);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  });

/** The members that a request changes. */
export const UpdatePortalBody = z.strictObject({
  name: field(Name.nullish(), PORTAL.name, 'Analytical Engines'),
  accentColor: field(
    z
      .string()
      .regex(/^#[0-9A-Fa-f]{6}$/, 'must be a color such as #3350d0')
      .nullish(),
    PORTAL.accentColor,
    PORTAL.example.accentColor,
  ),
  logoUrl: field(checkedText(2048, logoUrlFault).nullish(), PORTAL.logoUrl, PORTAL.example.logoUrl),
  allowedOrigins: field(
    z
      .array(checkedText(300, allowedOriginFault))
      .max(MAX_ALLOWED_ORIGINS, `must have at most ${MAX_ALLOWED_ORIGINS} origins`)
      .refine((origins) => new Set(origins).size === origins.length, 'must not have an origin twice')
      .nullish(),
    PORTAL.allowedOrigins,
    PORTAL.example.origins,
  ),
});
export type UpdatePortalBody = z.infer<typeof UpdatePortalBody>;

export const EventTypePolicy = z.enum(['OPEN', 'REPORT', 'STRICT']);
export type EventTypePolicy = z.infer<typeof EventTypePolicy>;

const EVENT_TYPE_POLICY =
  'What happens to events that differ from the catalogue. `OPEN`: they are stored. `REPORT`: stored and counted. `STRICT`: refused. A change takes effect within 10 seconds';

export const Project = z.object({
  id: Id,
  organizationId: field(Id, 'The organization'),
  name: field(z.string(), 'Its name', 'Web shop'),
  eventTypePolicy: field(EventTypePolicy, EVENT_TYPE_POLICY, 'OPEN'),
  portal: field(PortalSettings, 'How the portal of its customers looks, and which pages may frame it'),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type Project = z.infer<typeof Project>;

export const ListedProject = Project.extend({
  lastEventAt: field(Time.nullable(), 'When its newest event was stored; null if there is none'),
});
export type ListedProject = z.infer<typeof ListedProject>;

export const CreateProjectBody = z.strictObject({
  name: field(Name, 'Its name', 'Web shop'),
});
export type CreateProjectBody = z.infer<typeof CreateProjectBody>;

export const UpdateProjectBody = z.strictObject({
  name: field(Name.optional(), 'Its name', 'Web shop'),
  eventTypePolicy: field(EventTypePolicy.optional(), EVENT_TYPE_POLICY, 'STRICT'),
  portal: field(UpdatePortalBody.optional(), 'The settings of the portal to change; null clears one'),
});
export type UpdateProjectBody = z.infer<typeof UpdateProjectBody>;

/** A member of an organization, as its other members see them. */
export const Member = z.object({
  userId: field(Id, 'The person'),
  email: field(z.string(), 'An email address, case-insensitive', 'grace@example.com'),
  name: field(z.string().nullable(), 'The person’s name; null if not set', 'Grace Hopper'),
  role: field(RoleName, 'The person’s role in the organization'),
  createdAt: field(Time, 'When they joined'),
});
export type Member = z.infer<typeof Member>;

export const UpdateMemberBody = z.strictObject({
  role: field(RoleName, 'The person’s role in the organization', 'ADMIN'),
});
export type UpdateMemberBody = z.infer<typeof UpdateMemberBody>;

/** A pending invitation. Its token is only in the mail. */
export const Invitation = z.object({
  id: Id,
  email: field(z.string(), 'An email address, case-insensitive', 'grace@example.com'),
  role: field(RoleName, 'The person’s role in the organization'),
  invitedBy: field(
    z
      .object({
        id: Id,
        name: field(z.string().nullable(), 'The person’s name; null if not set', 'Ada Lovelace'),
        email: field(z.string(), 'An email address, case-insensitive', 'ada@example.com'),
      })
      .nullable(),
    'Who sent the invitation; null if that account is deleted',
  ),
  createdAt: CreatedAt,
  expiresAt: field(Time, 'When it expires', '2036-01-31T09:30:00.000Z'),
});
export type Invitation = z.infer<typeof Invitation>;

export const CreatedInvitation = Invitation.extend({
  isEmailed: field(
    z.boolean(),
    'Whether it was emailed. If not, since this server sends no email or the address got enough of it today, pass on a link',
  ),
});
export type CreatedInvitation = z.infer<typeof CreatedInvitation>;

export const InvitationLink = z.object({
  url: field(
    z.string(),
    'Link that accepts the invitation once, for its address only',
    'https://events.example.com/accept-invitation?token=sSqL0mJ1',
  ),
});
export type InvitationLink = z.infer<typeof InvitationLink>;

export const CreateInvitationBody = z.strictObject({
  email: field(EmailAddress, 'An email address, case-insensitive', 'grace@example.com'),
  role: field(RoleName, 'The person’s role in the organization'),
});
export type CreateInvitationBody = z.infer<typeof CreateInvitationBody>;

export const InvitationTokenBody = z.strictObject({
  token: field(z.string().min(1).max(256), 'The token from the emailed link', 'sSqL0mJ1'),
});
export type InvitationTokenBody = z.infer<typeof InvitationTokenBody>;

/** The organization that a person has just joined. */
export const AcceptedInvitation = z.object({
  organization: field(OrganizationSummary, 'The organization'),
});
export type AcceptedInvitation = z.infer<typeof AcceptedInvitation>;

/** An invitation, as its link shows it. */
export const InvitationPreview = z.object({
  organizationName: field(z.string(), 'The name of the organization', 'Analytical Engines'),
  role: field(RoleName, 'The person’s role in the organization'),
  email: field(z.string(), 'The email address it was sent to', 'grace@example.com'),
  hasAccount: field(z.boolean(), 'Whether that address has an account'),
});
export type InvitationPreview = z.infer<typeof InvitationPreview>;
