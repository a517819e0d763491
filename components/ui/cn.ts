import { mergeClasses } from './merge-classes';

/** Joins class names. When two set the same property, the later one wins. */
export function cn(...classes: (string | false | null | undefined)[]): string {
  return mergeClasses(classes.filter(Boolean).join(' '));
}
