import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { VERSION } from '@/lib/client/headers';
import type { GlobalOptions } from './context';
import { ENVIRONMENT, EXIT_MEANINGS, GLOBAL_OPTIONS } from './options';
import { dashed } from './routes/names';
import { type ArgumentSpec, type CommandSpec, type Commands, type OptionSpec, plainHelp } from './spec';

/** Runs a command with what was given; `args` and `options` by the names that the command declares. */
export type RunCommand = (
  spec: CommandSpec,
  globals: GlobalOptions,
  given: Parameters<CommandSpec['run']>[1],
) => unknown;

export interface TextSinks {
  out(text: string): void;
  err(text: string): void;
}

/**
 * Builds the command line from its commands. Parsing throws CommanderError instead of ending the process.
 * @param args what will be parsed; without it, every command is built
 */
export function buildProgram(commands: Commands, run: RunCommand, sinks: TextSinks, args?: readonly string[]): Command {
  const program = new Command('eds')
    .description('Send events, watch deliveries and receive webhooks on your own machine.')
    .version(VERSION, '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', `\nEnvironment:\n${listLines(ENVIRONMENT.map(({ name, meaning }) => [name, meaning]))}`)
    .addHelpText(
      'after',
      `\nExit codes:\n${listLines(EXIT_MEANINGS.map(({ code, meaning }) => [`${code}`, meaning]))}`,
    );
  for (const { flags, description } of GLOBAL_OPTIONS) program.option(flags, plainHelp(description));
  for (const [name, each] of Object.entries(commands)) {
    if (isNeeded(name, commands, args)) addAll(program, { [name]: each }, run);
    else program.addCommand(new Command(name).summary(plainHelp(each.summary)));
  }
  for (const each of walk(program)) {
    each
      .exitOverride()
      .configureHelp({ showGlobalOptions: true })
      .configureOutput({ writeOut: sinks.out, writeErr: sinks.err, outputError: () => undefined })
      .showSuggestionAfterError();
  }
  return program;
}

/**
 * Most of the commands cannot run: their name is not an argument. Building all of them would take a tenth of the time of a start. The
 * help of the program itself shows the arguments of commands, and of groups only their summary.
 */
function isNeeded(name: string, all: Commands, args?: readonly string[]): boolean {
  if (args === undefined || args.includes(name)) return true;
  return !('commands' in (all[name] ?? {})) && !args.some((arg) => Object.hasOwn(all, arg));
}

function* walk(command: Command): Generator<Command> {
  yield command;
  for (const each of command.commands) yield* walk(each);
}

function addAll(parent: Command, commands: Commands, run: RunCommand, defaultCommand?: string): void {
  for (const [name, each] of Object.entries(commands)) {
    const command = new Command(name).summary(plainHelp(each.summary));
    if ('commands' in each) {
      addAll(command.description(plainHelp(each.summary)), each.commands, run, each.defaultCommand);
    } else {
      declare(command, each, run);
    }
    parent.addCommand(command, { isDefault: name === defaultCommand });
    if (!('commands' in each)) addOldNames(parent, each, run);
  }
}

function addOldNames(parent: Command, spec: CommandSpec, run: RunCommand): void {
  for (const name of spec.oldNames ?? []) {
    const command = new Command(name);
    declare(command, spec, run);
    parent.addCommand(command, { hidden: true });
  }
}

function declare(command: Command, spec: CommandSpec, run: RunCommand): void {
  const { summary, details, args = {}, options = {}, examples } = spec;
  command.description(plainHelp(details === undefined ? summary : `${summary}\n\n${details}`));
  for (const [name, argument] of Object.entries(args)) command.addArgument(toArgument(name, argument));
  for (const option of Object.values(options)) command.addOption(toOption(option));
  const lines = Object.entries(examples).map(([line, does]) => `  $ eds ${line}\n    ${does}`);
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  command.action(async (...parsed: unknown[]) => {
    const texts = Object.keys(args).map((name, i) => [name, parsed[i]]);
    const values = Object.entries(options).map(([name, option]) => [name, givenOrFallback(command, option)]);
    const given = { args: Object.fromEntries(texts), options: Object.fromEntries(values) };
    await run(spec, readGlobals(command), given);
  });
}

function toArgument(name: string, { description, isOptional, choices }: ArgumentSpec): Argument {
  const text = plainHelp(withChoices(description, choices));
  const argument = new Argument(isOptional ? `[${dashed(name)}]` : `<${dashed(name)}>`, text);
  if (choices === undefined) return argument;
  return argument.argParser((given) => {
    if (choices.includes(given)) return given;
    throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
  });
}

/** Returns the description of an argument or an option with what can be chosen. */
export function withChoices(description: string, choices: readonly string[] | undefined): string {
  return choices === undefined ? description : `${description}: ${choices.map((choice) => `\`${choice}\``).join(', ')}`;
}

function toOption({ flags, description, kind, parse, choices, isHidden }: OptionSpec<unknown>): Option {
  const option = new Option(flags, plainHelp(withChoices(description, choices))).hideHelp(isHidden ?? false);
  if (kind === 'flag') return option;
  return option.argParser((text: string, previous: unknown) => {
    const value = parseValue(parse, text, choices);
    return kind === 'values' && Array.isArray(previous) ? [...previous, ...(value as unknown[])] : value;
  });
}

function parseValue(parse: OptionSpec<unknown>['parse'], text: string, choices?: readonly string[]): unknown {
  try {
    const value = parse(text);
    if (value !== null) return value;
  } catch (error) {
    throw new InvalidArgumentError(`It must ${(error as Error).message}.`);
  }
  throw new InvalidArgumentError(`It must be one of ${choices?.join(', ')}.`);
}

function givenOrFallback(command: Command, { flags, fallback }: OptionSpec<unknown>): unknown {
  const given = command.opts()[new Option(flags).attributeName()];
  return given === undefined ? fallback : given;
}

function listLines(pairs: [string, string][]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, meaning]) => `  ${name.padEnd(width)}  ${plainHelp(meaning)}`).join('\n');
}

function readGlobals(command: Command): GlobalOptions {
  const { json, profile, project, org } = command.optsWithGlobals();
  return { json: json === true, profile, project, org };
}
