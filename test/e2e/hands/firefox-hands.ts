import { WebSocket } from 'ws'
import { clickActions, keyActions, typeActions } from './key-actions.ts'
import type { Hand } from './hands.ts'
import { findFile, startProgram } from './program.ts'

export const findFirefox = (): string | undefined =>
  process.env['FIREFOX_PATH'] ?? findFile(['/usr/bin/firefox-esr', '/usr/bin/firefox'])

/** What Firefox answers to a command of WebDriver BiDi. */
type Answer = Readonly<Record<string, unknown>>

/** Firefox without a window, by WebDriver BiDi, which it speaks itself. */
export async function firefoxHands(path: string): Promise<Hand> {
  const program = await startProgram(path, (home) => [
    '--headless',
    '--no-remote',
    '--profile',
    home,
    '--remote-debugging-port=0',
  ])
  const send = await connect(await program.match(/WebDriver BiDi listening on (ws:\/\/\S+)/))
  await send('session.new', { capabilities: {} })
  return {
    // Only the page in front has the focus.
    pagesAtOnce: 1,
    async openPage() {
      const { context } = await send('browsingContext.create', { type: 'tab' })
      const perform = (...actions: readonly object[]): Promise<Answer> =>
        send('input.performActions', { context, actions })
      return {
        async open(url) {
          await send('browsingContext.navigate', { context, url, wait: 'complete' })
        },
        async evaluate<Result>(body: string) {
          const answer = await send('script.evaluate', {
            expression: `(async () => JSON.stringify(await (async () => { ${body} })()))()`,
            target: { context },
            awaitPromise: true,
          })
          if (answer['type'] !== 'success') throw new Error(JSON.stringify(answer['exceptionDetails']).slice(0, 500))
          // BiDi wraps each value with its type. The caller knows what its own script returns.
          const { value } = answer['result'] as { readonly value?: string }
          return (value === undefined ? undefined : JSON.parse(value)) as Result
        },
        async click(x, y) {
          await perform(clickActions(x, y))
        },
        async press(keys) {
          await perform(keyActions(keys))
        },
        async type(text) {
          await perform(typeActions(text))
        },
        async close() {
          await send('browsingContext.close', { context })
        },
      }
    },
    close: () => program.end(),
  }
}

async function connect(origin: string): Promise<(method: string, params: object) => Promise<Answer>> {
  const socket = new WebSocket(`${origin}/session`)
  const waiting = new Map<number, (message: Answer) => void>()
  let count = 0
  socket.on('message', (data: Buffer) => {
    // Commands are answered with an object that has their id.
    const message = JSON.parse(String(data)) as Answer
    waiting.get(Number(message['id']))?.(message)
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return (method, params) =>
    new Promise((resolve, reject) => {
      const id = (count += 1)
      waiting.set(id, (message) => {
        waiting.delete(id)
        if (message['type'] === 'success') resolve(message['result'] as Answer)
        else reject(new Error(`${method}: ${String(message['error'])} ${String(message['message'])}`))
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
}
