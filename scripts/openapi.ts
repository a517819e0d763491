// Writes the OpenAPI document, which the web process serves: made once from the route table when the processes are built.
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '@/lib/api/openapi/document';
import { DOCUMENT_FILE } from '@/lib/api/openapi/document-file';

writeFileSync(DOCUMENT_FILE, JSON.stringify(openApiDocument()));
