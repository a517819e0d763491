import { defineConfig } from 'prisma/config';

// `npm run migrate` applies the migrations itself (lib/platform/migrate); this file only serves `prisma generate`.
export default defineConfig({ schema: 'prisma/schema.prisma', migrations: { path: 'prisma/migrations' } });
