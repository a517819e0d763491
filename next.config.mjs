/** @type {import('next').NextConfig} */
const nextConfig = {
  poweredByHeader: false,
  // The image sets it to its revision: several builds of one revision then serve a page together.
  generateBuildId: () => process.env.BUILD_ID || null,
  // `npm run check` judges types; a start must not wait for that, nor fail over a test's types.
  typescript: { ignoreBuildErrors: true },
  reactStrictMode: true,
  // What starts threads, opens sockets or finds files beside itself breaks inside a bundle.
  serverExternalPackages: [
    'piscina',
    'pg',
    'pino',
    '@prisma/client',
    '@prisma/adapter-pg',
    'bcryptjs',
    'nodemailer',
    'prom-client',
    'undici',
    'next-auth',
    'rate-limiter-flexible',
  ],
  // There is no image to resize on the fly.
  images: { unoptimized: true },
  // Loading every page at the start would hold 20 MiB for good, to show the first one 0.1 s sooner.
  experimental: { preloadEntriesOnStart: false },
  devIndicators: false,
  productionBrowserSourceMaps: true,
  agentRules: false,
};

export default nextConfig;
