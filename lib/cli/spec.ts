import type { Context } from './context';
import type { OPERATIONS } from './generated/operations';

/** An operation of the API, such as `members.update`. */
export type OperationName = keyof typeof OPERATIONS;

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
  /** Works, but the help does not show it. */
  isHidden?: true;
}

export type Args = Record<string, ArgumentSpec>;
/** Options by the names of the parameters or fields of the API that they become; the flags may be shorter. */
export type Options = Record<string, OptionSpec<unknown>>;
export type Values<O> = { [K in keyof O]: O[K] extends OptionSpec<infer T> ? T : never };
export type Texts<A> = { [K in keyof A]: A[K] extends { isOptional: true } ? string | undefined : string };
export type NoArgs = Record<never, ArgumentSpec>;
export type NoOptions = Record<never, OptionSpec<unknown>>;

/** What a person gave on the command line. */
export interface Given<A, O> {
  args: Texts<A>;
  options: Values<O>;
}

/** What the help says about a command. */
export interface Words {
  /** One sentence; the first line of the help. Code in it, as in all texts of the help, is between backticks. */
  summary: string;
  /** More help, in full sentences. */
  details?: string;
  /** Command lines without their `eds`, with what each does. */
  examples: Readonly<Record<string, string>>;
}

export interface CommandSpec<A extends Args = Args, O extends Options = Options> extends Words {
  args?: A;
  options?: O;
  /** The operations of the API that people reach by it. Those without a command get one by themselves. */
  operations?: readonly OperationName[];
  /** Names that still work in its group. The help does not show them. */
  oldNames?: readonly string[];
  run(context: Context, given: Given<A, O>): Promise<void> | void;
}

export interface GroupSpec {
  summary: string;
  /** A group may contain groups, as `eds admin orgs` does. */
  commands: Commands;
  /** The command that runs when the group is named alone; without it, the group shows its help. */
  defaultCommand?: string;
}

/** Commands and groups by their names, in the order of the help. */
export type Commands = Readonly<Record<string, CommandSpec | GroupSpec>>;

/** Types a command by its arguments and options. */
export function command<const A extends Args = NoArgs, const O extends Options = NoOptions>(
  spec: CommandSpec<A, O>,
): CommandSpec {
  // Programs that walk the commands know neither names nor types; build-program.ts gives each command what it declares.
  return spec as unknown as CommandSpec;
}

/** Returns the options that the help, the reference and shells show. */
export function visible(options: Options): OptionSpec<unknown>[] {
  return Object.values(options).filter(({ isHidden }) => !isHidden);
}

/** Returns a text of the help without its backticks: they mark code for the reference, and terminals have one font. */
export function plainHelp(text: string): string {
  return text.replaceAll('`', '');
}
