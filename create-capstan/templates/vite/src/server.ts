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
const host = process.env.HOST ?? 'localhost'

createServer((request, response) => {
  if (request.url?.startsWith('/agent/')) agent(request, response)
  else files(request, response, () => void response.writeHead(404).end('Not found'))
}).listen(port, host, () => {
  console.log(`Ready on http://${host}:${port}`)
  if (host !== 'localhost' && host !== '127.0.0.1')
    console.warn('Other machines can reach this server: src/agent/authorize.ts has to read the session of your app.')
})
