import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import react from '@vitejs/plugin-react'
import { type AgentHandler, toNodeListener } from 'capstan/server'
import { defineConfig, type Plugin } from 'vite'

if (existsSync('.env.local')) loadEnvFile('.env.local')

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

export default defineConfig({ plugins: [react(), agent] })
