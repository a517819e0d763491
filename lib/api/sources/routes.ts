import { personOrKey } from '@/lib/api/callers';
import { SignatureCheck, VerifySignatureBody } from '@/lib/delivery/schema';
import { created, noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import {
  CreateSourceBody,
  RotateSourceSecretBody,
  RotateSourceUrlBody,
  Source,
  SourceSecret,
  UpdateSourceBody,
} from '@/lib/incoming/schema';
import { checkSourceSignature } from '@/lib/incoming/signatures/check-source-signature';
import {
  createSource,
  deleteSource,
  endPreviousSourceSecret,
  getSource,
  listSources,
  revealSourceSecret,
  rotateSourceSecret,
  rotateSourceUrl,
  updateSource,
} from '@/lib/incoming/sources/sources';
import { systemClock } from '@/lib/platform/clock';
import { listingOf, PageQuery } from '@/lib/platform/pagination';

const reads = personOrKey('source.read', 'read');
const writes = personOrKey('source.manage', 'write');
const handlesSecret = personOrKey('source.secret', 'write');

export const list = route({
  summary: 'List the sources of a project.',
  caller: reads,
  params: ['projectId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(Source) },
  handler: async ({ caller, params, query }) => ok(await listSources(caller, params.projectId, query, systemClock())),
});

export const create = route({
  summary: 'Create a source with a URL for its provider.',
  caller: writes,
  params: ['projectId'],
  body: CreateSourceBody,
  errors: ['limit_reached'],
  response: { status: 201, schema: Source },
  handler: async ({ caller, params, body }) =>
    created(await createSource(caller, params.projectId, body, systemClock())),
});

export const get = route({
  summary: 'Get a source.',
  caller: reads,
  params: ['projectId', 'sourceId'],
  response: { status: 200, schema: Source },
  handler: async ({ caller, params }) => ok(await getSource(caller, params, systemClock())),
});

export const update = route({
  summary: 'Change a source.',
  caller: writes,
  params: ['projectId', 'sourceId'],
  body: UpdateSourceBody,
  errors: ['conflict'],
  response: { status: 200, schema: Source },
  handler: async ({ caller, params, body }) => ok(await updateSource(caller, params, body, systemClock())),
});

export const remove = route({
  summary: 'Delete a source and its destinations; its URL stops working immediately.',
  caller: writes,
  params: ['projectId', 'sourceId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await deleteSource(caller, params, systemClock());
    return noContent();
  },
});

export const getSecret = route({
  summary: 'Reveal the signing secret of a source.',
  caller: handlesSecret,
  params: ['projectId', 'sourceId'],
  errors: ['conflict'],
  response: { status: 200, schema: SourceSecret, sensitive: true },
  handler: async ({ caller, params }) => ok(await revealSourceSecret(caller, params, systemClock())),
});

export const rotateSecret = route({
  summary: 'Replace the secret of a source; the old one stays valid for a grace period.',
  caller: handlesSecret,
  params: ['projectId', 'sourceId'],
  body: RotateSourceSecretBody,
  bodyOptional: true,
  response: { status: 200, schema: SourceSecret, sensitive: true },
  handler: async ({ caller, params, body }) => ok(await rotateSourceSecret(caller, params, body, systemClock())),
});

export const endPreviousSecret = route({
  summary: 'End the previous signing secret of a source before its grace period does.',
  caller: handlesSecret,
  params: ['projectId', 'sourceId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await endPreviousSourceSecret(caller, params);
    return noContent();
  },
});

export const rotateUrl = route({
  summary: 'Rotate the URL of a source; the old one works for a grace period.',
  caller: handlesSecret,
  params: ['projectId', 'sourceId'],
  body: RotateSourceUrlBody,
  bodyOptional: true,
  response: { status: 200, schema: Source },
  handler: async ({ caller, params, body }) => ok(await rotateSourceUrl(caller, params, body, systemClock())),
});

/** The Base64 of 512 KiB, and headers. */
const CHECK_LIMIT_BYTES = 768 * 1024;

export const verifySignature = route({
  summary: 'Check the signature of a request to a source, and say why it does not verify.',
  // People choose these secrets: those who may not read one must not find it by trying.
  caller: handlesSecret,
  params: ['projectId', 'sourceId'],
  body: VerifySignatureBody,
  bodyLimitBytes: CHECK_LIMIT_BYTES,
  errors: ['conflict'],
  response: { status: 200, schema: SignatureCheck },
  isHeavy: true,
  handler: async ({ caller, params, body }) => ok(await checkSourceSignature(caller, params, body, systemClock())),
});
