import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { playgroundServer } from './playground/server/plugin.ts'

// The playground: `npm run dev`, `npm run preview`. The library is built by vite.lib.config.ts. The root
// stays the repository's: other tools share this file, and the page is served from its folder by the plugin.
export default defineConfig({
  plugins: [react(), playgroundServer()],
  publicDir: false,
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
  build: {
    outDir: 'playground/dist',
    emptyOutDir: true,
    rolldownOptions: { input: 'playground/index.html' },
  },
})
