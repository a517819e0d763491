import type { Column } from '@/lib/cli/output/column';
import type { Project } from '@/lib/orgs/schema';

export const PROJECT_COLUMNS: Column<Project>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
];
