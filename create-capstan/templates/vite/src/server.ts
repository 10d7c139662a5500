import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { loadEnvFile } from 'node:process'
import { toNodeListener } from 'capstan/server'
import sirv from 'sirv'
import { handler } from './agent/handler'

if (existsSync('.env.local')) loadEnvFile('.env.local')

const agent = toNodeListener(handler)
const files = sirv('dist/page')
const port = Number(process.env.PORT ?? 3000)

createServer((request, response) => {
  if (request.url?.startsWith('/agent/')) agent(request, response)
  else files(request, response, () => void response.writeHead(404).end('Not found'))
}).listen(port, process.env.HOST ?? 'localhost', () => console.log(`Ready on http://localhost:${port}`))
