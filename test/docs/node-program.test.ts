import { afterEach, describe, expect, it } from 'vitest'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { serveCut } from '../support/cutting-server.ts'
import { readPage, snippetsOf } from './pages.ts'
import type { Program } from './run-program.ts'
import { runProgram } from './run-program.ts'

// Runs what the pages say, as they say it, on the package that was built.

const running: Program[] = []

afterEach(() => {
  for (const program of running.splice(0)) program.stop()
})

function program(page: string, mark: string): string {
  const snippet = snippetsOf(readPage(page)).find(({ language, code }) => language === 'js' && code.includes(mark))
  if (snippet === undefined) throw new Error(`${page} has no program in plain JavaScript that says ${mark}.`)
  return snippet.code
}

const ask = program('docs/getting-started.md', 'client.chat(')

describe('the Node program of docs/getting-started.md', () => {
  it('prints what the agent of the server guide says', async () => {
    const server = runProgram(program('docs/server.md', 'createServer('), [], { PORT: '0' })
    running.push(server)
    const address = await server.firstLine
    const { code, output, errors } = await runProgram(ask, [address]).ended
    expect(errors).toBe('')
    expect(output).toMatch(/^You asked: How does reconnection work\?\nconversation [0-9a-f-]{36}\n$/)
    expect(code).toBe(0)
  })

  it('prints the same when the connection is cut on the way', async () => {
    const handler = createAgentHandler({
      agent: async function* () {
        for (const word of ['Rivers ', 'meander ', 'slowly.']) yield word
      },
    })
    const { origin, seen } = await serveCut(handler, [{ afterBytes: 600, how: 'end' }])
    const { output, errors } = await runProgram(ask, [`${origin}/cap`]).ended
    expect(errors).toBe('')
    expect(output).toMatch(/^Rivers meander slowly\.\n/)
    expect(seen.map(({ headers }) => headers['x-request-id'])).toEqual([
      seen[0]?.headers['x-request-id'],
      seen[0]?.headers['x-request-id'],
    ])
  })

  it('ends with a typed error when there is no agent', async () => {
    const handler = createAgentHandler({ agent: async () => {}, authorize: () => new Response(null, { status: 403 }) })
    const { origin } = await serveCut(handler, [])
    const { code, errors } = await runProgram(ask, [origin]).ended
    expect(code).not.toBe(0)
    expect(errors).toContain('CapRuntimeError')
    expect(errors).toContain('forbidden')
  })
})
