import * as z from 'zod';
import { EmailAddress } from '@/lib/accounts/email-address';
import { ROLES } from '@/lib/audit/types';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Time, UpdatedAt } from '@/lib/platform/instant';
import { Name } from '@/lib/platform/text';

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

export const Project = z.object({
  id: Id,
  organizationId: field(Id, 'The organization'),
  name: field(z.string(), 'Its name', 'Web shop'),
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
  isEmailed: field(z.boolean(), 'Whether this server sends email. If not, pass on a link'),
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
