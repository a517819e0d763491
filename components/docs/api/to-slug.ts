/** Returns a name in camel case as a part of a URL: "apiKeys" → "api-keys". */
export function toSlug(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns a name in camel case as words: "listAttempts" → "List attempts". */
export function toWords(name: string): string {
  const words = toSlug(name).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
