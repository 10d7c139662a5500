// @vitest-environment jsdom
import { Session } from 'node:inspector/promises'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Chat } from '../../src/components/chat.tsx'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import type { Agent } from '../../src/server/run/agent.ts'
import { ROOT } from '../layers/files.ts'
import { loadOnDemand } from '../support/load-on-demand.ts'
import './show.tsx'

const profiler = new Session()

// What is loaded on demand is there: the way of a later token is measured, not that of the first.
beforeAll(async () => {
  await loadOnDemand()
  profiler.connect()
  await profiler.post('Profiler.enable')
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
})

afterAll(async () => {
  await profiler.post('Profiler.stopPreciseCoverage')
  profiler.disconnect()
})

/** The files of the client of which a function is called meanwhile. */
async function filesOf(step: () => Promise<void>): Promise<readonly string[]> {
  await profiler.post('Profiler.takePreciseCoverage')
  await step()
  const { result } = await profiler.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    .map(({ url }) => url.replace(`file://${ROOT}`, '').replace(ROOT, ''))
    .filter((path) => path.startsWith('src/') && !path.startsWith('src/server/'))
    .toSorted()
}

const settle = (): Promise<void> => act(async () => new Promise((resolve) => void setTimeout(resolve, 100)))

/** A chat over an agent in this process, asked once. */
async function openChat(agent: Agent): Promise<void> {
  const handler = createAgentHandler({ agent })
  const client = new CapClient({
    baseUrl: 'https://agent.example',
    fetch: async (url, init) => handler(new Request(url, init)),
  })
  render(
    <AgentProvider client={client}>
      <Chat />
    </AgentProvider>,
  )
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Why do rivers bend?' } })
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter' })
  await settle()
}

/** Prints the files: `npm run structure` counts them. */
function print(what: string, files: readonly string[]): void {
  console.log(`${what} runs through ${files.length} files of the client:\n${files.join('\n')}`)
}

describe('the way through the sources', () => {
  it('of a token goes from the bytes to the text', async () => {
    let say: (word: string | undefined) => void = () => undefined
    await openChat(async function* () {
      for (;;) {
        const word = await new Promise<string | undefined>((resolve) => (say = resolve))
        if (word === undefined) return
        yield word
      }
    })
    for (const word of ['Water ', 'cuts ', 'the ', 'outer ']) {
      say(word)
      await settle()
    }
    const files = await filesOf(async () => {
      say('bank')
      await settle()
    })
    expect(document.body.textContent).toContain('Water cuts the outer bank')
    print('A CAP token', files)
    expect(files).toEqual(
      expect.arrayContaining(['src/wire/sse-decoder.ts', 'src/session/session.ts', 'src/markdown/markdown-stream.ts']),
    )
  })

  it('of a click on Allow goes from the button to the request, and back to the card', async () => {
    const results: string[] = []
    await openChat(async function* (_request, run) {
      const subject = { name: 'send', input: { to: 'Ann' } }
      const { type } = await run.ask({ kind: 'approval', message: 'May I send the mail?', subject })
      results.push(type)
      yield type
    })
    await screen.findByRole('button', { name: /^Allow/ })
    const files = await filesOf(async () => {
      // A card takes no answer before it has been still for a moment.
      for (let press = 0; press < 200 && results.length === 0; press++) {
        const allow = screen.queryByRole('button', { name: /^Allow/ })
        if (allow !== null) fireEvent.click(allow)
        await settle()
      }
    })
    expect(results).toEqual(['allowed'])
    print('A click on Allow', files)
    expect(files).toEqual(expect.arrayContaining(['src/session/send-command.ts']))
  })
})
