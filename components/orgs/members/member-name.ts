import type { Member } from '@/lib/orgs/schema';

/** Returns the name of a member, or their email address if they have no name. */
export function nameOf(member: Pick<Member, 'name' | 'email'>): string {
  return member.name ?? member.email;
}
