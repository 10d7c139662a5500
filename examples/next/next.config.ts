import type { NextConfig } from 'next'

const config: NextConfig = {
  // Without it, Next would look for the root among the lock files of the folders above.
  turbopack: { root: import.meta.dirname },
  typedRoutes: true,
  poweredByHeader: false,
  // A compressed stream would arrive in lumps; what compresses belongs in front of this server, and knows event streams.
  compress: false,
  // TypeScript 7 is a command and no library. From 16.4.6 on, Next finds that out by itself.
  experimental: { useTypeScriptCli: true },
}

export default config
