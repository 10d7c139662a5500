import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { CapClient, createChat, textOf, type AgentError, type ChatMessage } from '../../src/index.ts'
import type { Agent } from '../../src/server.ts'
import { createAgentHandler } from '../../src/server.ts'
import { readPage, snippetsOf } from '../docs/pages.ts'
import { ROOT } from '../layers/files.ts'
import { FAILURES, MAJORS, streamedText, type Failure, type Major, type StreamedText } from './sdk.ts'

// Runs what docs/models.md tells people with a server that uses streamText, on each major of the package `ai`.

const recipe =
  snippetsOf(readPage('docs/models.md')).find(({ code }) => code.includes('function* wholeText'))?.code ?? ''
const [helper = ''] = /^export async function\* wholeText[\s\S]*?^\}/m.exec(recipe) ?? []
const { code } = await transform(helper, { loader: 'ts' })
// The module that the guide shows; its one function is checked against the types of `ai` below.
const { wholeText } = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as {
  wholeText(fullStream: StreamedText['fullStream']): AsyncGenerator<string>
}

interface Outcome {
  readonly message: ChatMessage | undefined
  readonly error: AgentError | undefined
  /** What the server was told. */
  readonly reported: readonly unknown[]
}

/** Asks an agent that reads the SDK in one way, over the real handler and the real client. */
async function ask(
  major: Major,
  failure: Failure | undefined,
  read: (result: StreamedText) => AsyncIterable<string>,
): Promise<Outcome> {
  const reported: unknown[] = []
  const stopping = new AbortController()
  const agent: Agent = async function* (_request, run) {
    for await (const text of read(await streamedText(major, failure, run.signal))) {
      yield text
      if (failure === 'when the run is stopped') stopping.abort()
    }
  }
  const handler = createAgentHandler({ agent, signal: stopping.signal, onError: (error) => reported.push(error) })
  const client = new CapClient({
    baseUrl: 'https://agent.test',
    fetch: async (url, init) => handler(new Request(url, init)),
  })
  const chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
  await chat.sendMessage('Why?')
  const { messages, error } = chat.getSnapshot()
  await chat.dispose()
  return { message: messages.find(({ role }) => role === 'assistant'), error, reported }
}

const STREAMS = [...MAJORS.map((major) => [major, 'fullStream'] as const), [7, 'stream'] as const]

describe.each(STREAMS)('an agent on ai %s that reads %s', (major, name) => {
  it('passes on a whole answer', async () => {
    const { message, error, reported } = await ask(major, undefined, (result) => wholeText(result[name]))
    expect([message?.status, message && textOf(message), error, reported]).toEqual([
      'complete',
      'Rivers meander.',
      undefined,
      [],
    ])
  })

  it.each(FAILURES)('has no complete message when the model fails %s', async (failure) => {
    const { message, error } = await ask(major, failure, (result) => wholeText(result[name]))
    expect([message?.status, message && textOf(message)]).toEqual(['failed', failure === 'at once' ? '' : 'Rivers '])
    expect(error?.agentCode).toBe(failure === 'when the run is stopped' ? 'server_stopping' : 'internal_error')
    expect(JSON.stringify([message, error?.message])).not.toContain('canary')
  })

  it.each(['at once', 'midway', 'by an error in the stream'] as const)(
    'tells the server what went wrong %s',
    async (failure) => {
      const { reported } = await ask(major, failure, (result) => wholeText(result[name]))
      expect(reported).toHaveLength(1)
      expect(String(reported[0])).toContain('sk-canary')
    },
  )
})

describe.each(MAJORS)('an agent on ai %s that reads textStream', (major) => {
  it.each([
    ['at once', ''],
    ['by an error in the stream', 'Rivers '],
  ] as const)(
    'has a complete message when the model fails %s, which is why the guide reads another',
    async (failure, text) => {
      const { message } = await ask(major, failure, ({ textStream }) => textStream)
      expect([message?.status, message && textOf(message)]).toEqual(['complete', text])
    },
  )
})

describe('the function of the guide', () => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-ai-sdk-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('takes the fullStream of each major as it is typed', { timeout: 120_000 }, async () => {
    const [parts = ''] = /^interface StreamedPart[\s\S]*?^\}/m.exec(recipe) ?? []
    const uses = STREAMS.map(
      ([major, name]) =>
        `import { streamText as ${name}${major} } from 'ai-${major}'\nexport const text${name}${major} = wholeText(${name}${major}({} as Parameters<typeof ${name}${major}>[0]).${name})`,
    )
    const compilerOptions = {
      target: 'ES2022',
      lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      module: 'ESNext',
      moduleResolution: 'bundler',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      types: [],
    }
    symlinkSync(`${import.meta.dirname}/node_modules`, join(folder, 'node_modules'), 'junction')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    writeFileSync(join(folder, 'recipe.ts'), [...uses, parts, helper].join('\n'))
    const checked = await new Promise<string>((resolve) => {
      execFile(
        process.execPath,
        [`${ROOT}node_modules/typescript/bin/tsc`, '-p', folder, '--pretty', 'false'],
        (_error, stdout) => resolve(stdout),
      )
    })
    expect(parts).not.toBe('')
    expect(checked).toBe('')
  })
})
