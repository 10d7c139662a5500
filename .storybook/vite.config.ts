import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  publicDir: false,
  // light-dark() stays as it was written: rewritten for older browsers it loses themes inside of a page.
  build: { target: 'esnext' },
})
