import type { Context } from './context';

/** An argument of a command. */
export interface ArgumentSpec {
  description: string;
  isOptional?: true;
  choices?: readonly string[];
  /** What a shell completes, besides the choices. */
  completes?: 'profile';
}

/** An option of a command. `parse` throws Error with a message that completes "must …". */
export interface OptionSpec<T> {
  /** As commander reads them, such as `-t, --type <type>`. */
  flags: string;
  description: string;
  kind: 'flag' | 'value' | 'values';
  parse(text: string): T | null;
  fallback?: T;
  choices?: readonly string[];
  completes?: 'profile';
}

type Values<O> = { [K in keyof O]: O[K] extends OptionSpec<infer T> ? T : never };
type Texts<A> = { [K in keyof A]: A[K] extends { isOptional: true } ? string | undefined : string };

/** What a person gave on the command line. */
export interface Given<A, O> {
  args: Texts<A>;
  options: Values<O>;
}

export interface CommandSpec<
  A extends Record<string, ArgumentSpec> = Record<string, ArgumentSpec>,
  O extends Record<string, OptionSpec<unknown>> = Record<string, OptionSpec<unknown>>,
> {
  name: string;
  /** One sentence; the first line of the help. Code in it, as in all texts of the help, is between backticks. */
  summary: string;
  /** More help, in full sentences. */
  details?: string;
  args?: A;
  options?: O;
  /** Command lines without their `eds`, with what each does. */
  examples: { line: string; does: string }[];
  isHidden?: true;
  run(context: Context, given: Given<A, O>): Promise<void> | void;
}

export interface GroupSpec {
  name: string;
  summary: string;
  /** A group may contain groups, as `eds admin orgs` does. */
  commands: (CommandSpec | GroupSpec)[];
  /** The command that runs when the group is named alone; without it, the group shows its help. */
  defaultCommand?: string;
}

/** Types a command by its arguments and options. */
export function command<
  const A extends Record<string, ArgumentSpec> = Record<never, ArgumentSpec>,
  const O extends Record<string, OptionSpec<unknown>> = Record<never, OptionSpec<unknown>>,
>(spec: CommandSpec<A, O>): CommandSpec {
  // Programs that walk the commands know neither names nor types; build-program.ts gives each command what it declares.
  return spec as unknown as CommandSpec;
}

/** Returns a text of the help without its backticks: they mark code for the reference, and terminals have one font. */
export function plainHelp(text: string): string {
  return text.replaceAll('`', '');
}
