import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  publicDir: false,
  // Imported on demand by the first form that is submitted: found only then, it would load the page again in mid-story.
  optimizeDeps: { include: ['@cfworker/json-schema'] },
  // light-dark() stays as it was written: rewritten for older browsers it loses themes inside of a page.
  build: { target: 'esnext' },
})
