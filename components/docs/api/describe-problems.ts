import type { DocumentOperation } from './document-types';
import type { ProblemGroup } from './reference-types';

/** How the document lists the codes of a status: one paragraph each. */
const CODE = /^`([a-z_]+)`: (.+)$/gm;

/** Returns the problem codes of an operation by status. */
export function describeProblems(responses: DocumentOperation['responses']): ProblemGroup[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => ({
      status: Number(status),
      problems: [...description.matchAll(CODE)].map(([, code = '', meaning = '']) => ({ code, meaning })),
    }));
}
