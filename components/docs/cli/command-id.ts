/** Returns the id of the section of a command, such as `events-send`. */
export function commandId(name: string): string {
  return name.replaceAll(' ', '-');
}
