const MAX_LENGTH = 100;

/** Returns the initial name of an organization: after the person, or after the local part of their address. */
export function defaultOrganizationName(person: { name: string | null; email: string }): string {
  const owner = firstWordOf(person.name ?? '') ?? capitalise(firstWordOf(person.email) ?? person.email);
  const suffix = "'s organization";
  return owner.slice(0, MAX_LENGTH - suffix.length).toWellFormed() + suffix;
}

function firstWordOf(text: string): string | undefined {
  return text.split('@')[0]?.match(/[\p{L}\p{M}\p{N}'’-]+/u)?.[0];
}

function capitalise(word: string): string {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('');
}
