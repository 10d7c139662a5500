import type { NextConfig } from 'next'

const config: NextConfig = {
  // Without it, Next.js looks for the root among the lock files of the folders above.
  turbopack: { root: import.meta.dirname },
  // A compressed stream would arrive in lumps. What compresses belongs in front of this server, and knows event streams.
  compress: false,
}

export default config
