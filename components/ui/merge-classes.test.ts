import fs from 'node:fs';
import path from 'node:path';
import { twMerge } from 'tailwind-merge';
import { expect, it } from 'vitest';
import { describeClass, mergeClasses } from './merge-classes';

/** Returns every text in the pages' source that may hold classes, each once. */
function textsIn(folders: readonly string[]): string[] {
  const files = folders
    .flatMap((folder) =>
      fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|merge-classes/.test(file));
  const texts = files.flatMap((file) =>
    [...fs.readFileSync(file, 'utf8').matchAll(/'([^'\n]+)'|"([^"\n]+)"|`([^`$]+)`/g)].map(
      (match) => match[1] ?? match[2] ?? match[3] ?? '',
    ),
  );
  return [...new Set(texts)].filter((text) => /^[\w\s:/.()[\]&>%,*=_"'!+-]+$/.test(text));
}

const texts = textsIn(['app', 'components']);
/** The classes without the states and widths that they are for. */
const classes = [
  ...new Set(
    texts.flatMap((text) => text.split(/\s+/)).map((name) => name.replace(/^(?:(?:\[[^\]]*\]|[^:[(])+:)+/, '')),
  ),
].filter((name) => twMerge(`${name} ${name}`) === name);

it('finds the classes of the pages', () => {
  expect(classes.length).toBeGreaterThan(400);
});

it('removes what a later class overrides, as tailwind-merge does', () => {
  const byProperty = new Map(classes.map((name) => [describeClass(name)[1], name]));
  const wrong: string[] = [];
  for (const second of byProperty.values()) {
    for (const first of classes) {
      const text = `${first} ${second}`;
      if (mergeClasses(text) !== twMerge(text)) wrong.push(`${text} → ${mergeClasses(text)}`);
    }
  }
  expect(wrong).toEqual([]);
}, 60_000);

it('keeps the order and all classes that do not conflict', () => {
  expect(mergeClasses('px-3 flex py-1 px-4 text-sm text-muted')).toBe('flex py-1 px-4 text-sm text-muted');
});

it('keeps classes for different states and widths apart', () => {
  expect(mergeClasses('h-9 sm:h-8 hover:h-7 h-10')).toBe('sm:h-8 hover:h-7 h-10');
});
