import * as z from 'zod';
import { field } from '@/lib/platform/field';

/** How much of a limit is used. */
const limitOn = <const Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.object({
    name: field(z.enum(names), 'What is limited; `members` includes pending invitations'),
    used: field(z.int().nonnegative(), 'Current use'),
    max: field(z.int().positive(), 'The limit, set by the operator of the deployment'),
  });

export const ProjectLimit = limitOn([
  'customers',
  'endpoints',
  'subscriptions',
  'eventTypes',
  'sources',
  'destinations',
  'tunnels',
  'alerts',
  'apiKeys',
]);
export type ProjectLimit = z.infer<typeof ProjectLimit>;

export const ProjectLimits = z.object({
  limits: field(z.array(ProjectLimit), 'Each limit with its current use'),
});
export type ProjectLimits = z.infer<typeof ProjectLimits>;

export const OrganizationLimit = limitOn(['projects', 'members']);
export type OrganizationLimit = z.infer<typeof OrganizationLimit>;

export const OrganizationLimits = z.object({
  limits: field(z.array(OrganizationLimit), 'Each limit with its current use'),
});
export type OrganizationLimits = z.infer<typeof OrganizationLimits>;
