/** A command as the reference shows it. */
export interface CommandDescription {
  /** Without `eds`, such as `events send`. */
  name: string;
  /** Such as `eds events send <type> [options]`. */
  usage: string;
  summary: string;
  details: string | null;
  args: { name: string; description: string }[];
  options: { flags: string; description: string }[];
  examples: { line: string; does: string }[];
}

export interface GroupDescription {
  /** Null for the commands that stand alone. */
  name: string | null;
  summary: string | null;
  commands: CommandDescription[];
}
