import { describeProblems } from './describe-problems';
import type { ApiDocument, DocumentOperation } from './document-types';
import type { OperationSource } from './operation-source';
import type { Body, Caller, Operation, SuccessResponse } from './reference-types';
import { describeField, describeFields } from './schema/describe-fields';
import type { Field } from './schema/field';
import { toSampleRequest } from './to-sample-request';
import { toSlug, toWords } from './to-slug';

/** Turns one operation of the document into what its section shows. */
export function describeOperation(source: OperationSource, components: ApiDocument['components']): Operation {
  const { method, path, operation } = source;
  const { operationId, summary, description = null, parameters = [] } = operation;
  const { schemas } = components;
  const name = operationId.split('.')[1] ?? operationId;
  const fieldsIn = (place: string): Field[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name: parameterName, schema, required, description: meaning }) => {
        const described = meaning === undefined ? schema : { ...schema, description: meaning };
        return describeField(parameterName, described, { schemas, isInput: true, isRequired: required });
      });
  const callers = operation.security.map(toCaller);
  const responses = successesOf(operation, schemas);
  return {
    id: operationId,
    anchor: toSlug(name),
    name: toWords(name),
    ...{ method, path, title: summary, description, callers, responses },
    pathFields: fieldsIn('path'),
    queryFields: fieldsIn('query'),
    headerFields: fieldsIn('header').map((field) => ({ ...field, name: toHeaderName(field.name) })),
    body: bodyOf(operation, schemas),
    problems: describeProblems(operation.responses),
    request: toSampleRequest(source, callers),
  };
}

/** "idempotency-key" → "Idempotency-Key". */
function toHeaderName(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}

function toCaller(requirement: Record<string, string[]>): Caller {
  if (requirement.apiKey !== undefined) return { kind: 'key', scope: requirement.apiKey[0] ?? null };
  if (requirement.accessToken !== undefined) return { kind: 'person', role: requirement.accessToken[0] ?? null };
  return { kind: 'operator' };
}

function bodyOf({ requestBody }: DocumentOperation, schemas: ApiDocument['components']['schemas']): Body | null {
  const [entry] = Object.entries(requestBody?.content ?? {});
  if (requestBody === undefined || entry === undefined) return null;
  const [contentType, { schema = {} }] = entry;
  return {
    isRequired: requestBody.required,
    contentType,
    description: requestBody.description ?? null,
    fields: describeFields(schema, { schemas, isInput: true }),
  };
}

function successesOf(
  { responses }: DocumentOperation,
  schemas: ApiDocument['components']['schemas'],
): SuccessResponse[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description, content = {} }]) => {
      const [contentType = null] = Object.keys(content);
      const { schema = {}, example } = content[contentType ?? ''] ?? {};
      const fields = describeFields(schema, { schemas, isInput: false });
      return { status: Number(status), meaning: description, contentType, fields, example };
    });
}
