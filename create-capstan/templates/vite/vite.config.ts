import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import react from '@vitejs/plugin-react'
import { type AgentHandler, toNodeListener } from 'capstan/server'
import { defineConfig, type Plugin } from 'vite'

// Vite restarts when the file changes and reads this again, so a new key counts without a restart by hand.
if (existsSync('.env.local')) Object.assign(process.env, parseEnv(readFileSync('.env.local', 'utf8')))

/** The agent in the development server, loaded again after a change. In production src/server.ts serves it. */
const agent: Plugin = {
  name: 'agent',
  configureServer({ middlewares, ssrLoadModule }) {
    middlewares.use('/agent', (request, response, next) => {
      ssrLoadModule('/src/agent/handler.ts').then(
        // What the module exports.
        ({ handler }) => toNodeListener(handler as AgentHandler)(request, response),
        next,
      )
    })
  },
}

/** Few files: one to begin with, and one for what files of capstan share that come later. */
const codeSplitting = {
  groups: [
    { name: 'index', tags: ['$initial' as const], priority: 1 },
    { name: 'shared', test: /[\\/]capstan[\\/]dist[\\/](base|components|strings)[\\/]/, minShareCount: 2 },
    { name: 'shared-state', test: /[\\/](state-fold|shared-state)\.js$/ },
  ],
}

export default defineConfig({
  plugins: [react(), agent],
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting } } } } },
})
