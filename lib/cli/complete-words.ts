import { Option } from 'commander';
import { GLOBAL_OPTIONS } from './global-options';
import type { CommandSpec, GroupSpec } from './spec';

type Specs = readonly (CommandSpec | GroupSpec)[];

/** Returns the words that may stand in the place of the last one. @param words the command line without `eds` */
export function completeWords(commands: Specs, words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  let level: Specs = commands;
  let found: CommandSpec | null = null;
  for (const word of before) {
    const next: CommandSpec | GroupSpec | undefined =
      found === null ? level.find(({ name }) => name === word) : undefined;
    if (next === undefined) continue;
    if ('commands' in next) level = next.commands;
    else found = next;
  }
  const options = [...Object.values(found?.options ?? {}), ...GLOBAL_OPTIONS];
  const choices = choicesAfter(before.at(-1), Object.values(found?.options ?? {}));
  const names = found === null ? level.flatMap((each) => ('isHidden' in each && each.isHidden ? [] : [each.name])) : [];
  const offered = choices ?? (last.startsWith('-') ? options.map(({ flags }) => new Option(flags).long ?? '') : names);
  return offered.filter((word) => word.startsWith(last));
}

function choicesAfter(word: string | undefined, options: { flags: string; choices?: readonly string[] }[]) {
  const option = options.find(({ flags }) => new Option(flags).long === word || new Option(flags).short === word);
  return option?.choices;
}
