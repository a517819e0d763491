import { api } from '@/lib/api/table';
import { toNext } from '@/lib/http/next-adapter';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNext(
  '/api/v1/projects/{projectId}/alerts/{alertId}/rotate-secret',
  api['/api/v1/projects/{projectId}/alerts/{alertId}/rotate-secret'],
);
