import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import { toNodeListener } from '../../src/server/platforms/node-listener.ts'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import type { AgentRun } from '../../src/server/run/agent.ts'
import { ROOT } from '../layers/files.ts'
import { eventually } from '../support/eventually.ts'
import type { Hands } from './hands/hands.ts'
import type { Shown } from './page-kinds-page.tsx'

// What a user does with a chat, on pages of several kinds, in whichever browser.

const ALL_KINDS = ['plain', 'shadow', 'frame', 'activity', 'translated', 'strict', 'window'] as const
export type PageKind = (typeof ALL_KINDS)[number]

/** The kinds that the browser of `openHand` can have: only in Chromium are keys and presses sent to a second window. */
export const PAGE_KINDS: readonly PageKind[] = ALL_KINDS.filter(
  (kind) => kind !== 'window' || (process.env['CAPSTAN_BROWSER'] ?? 'chromium') === 'chromium',
)

const POLICY =
  "default-src 'self'; style-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const STREAM = Array.from({ length: 40 }, (_, at) => (at % 5 === 4 ? `**word ${at}** ` : `word ${at} `))
const CODE = 'let answer = 42'

/** Server of the page, and an agent for each kind of page. */
export interface KindServer {
  readonly origin: string
  /** What the agents of this kind of page have seen. */
  readonly seen: Record<PageKind, { approved: number; stopped: number }>
  close(): void
}

export async function serveKinds(): Promise<KindServer> {
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}test/e2e/page-kinds-page.tsx`],
    bundle: true,
    write: false,
    outdir: ROOT,
    jsx: 'automatic',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const fileOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  const kinds = PAGE_KINDS.map((kind) => {
    const seen = { approved: 0, stopped: 0 }
    const answering = new Set<ServerResponse>()
    const cut = (): void => answering.forEach((response) => response.destroy())
    const handler = createAgentHandler({ agent: (_request, run) => answer(run, seen, cut) })
    return { kind, seen, answering, listener: toNodeListener(handler) }
  })
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://page')
    const asked = kinds.find(({ kind }) => pathname.startsWith(`/cap/${kind}`))
    if (asked) {
      asked.answering.add(response)
      response.on('close', () => asked.answering.delete(response))
      return asked.listener(request, response)
    }
    const [type, content] =
      pathname === '/page.js'
        ? ['text/javascript', fileOf('.js')]
        : pathname === '/page.css'
          ? [
              'text/css',
              `${fileOf('.css')} html, body { block-size: 100%; margin: 0 } .cs-root, iframe { display: block; inline-size: 100%; block-size: 100%; border: 0 }`,
            ]
          : pathname === '/favicon.ico'
            ? ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>']
            : [
                'text/html',
                '<!doctype html><html lang="en"><title>Page</title><link rel="stylesheet" href="/page.css"><body><script src="/page.js"></script>',
              ]
    response
      .writeHead(200, {
        'content-type': `${type}; charset=utf-8`,
        ...(searchParams.get('kind') === 'strict' && { 'content-security-policy': POLICY }),
      })
      .end(content)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    // A TCP server that listens has an AddressInfo.
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    // Every kind is in it.
    seen: Object.fromEntries(kinds.map(({ kind, seen }) => [kind, seen])) as KindServer['seen'],
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function* answer(
  run: AgentRun,
  seen: { approved: number; stopped: number },
  cut: () => void,
): AsyncGenerator<string> {
  switch (run.text) {
    case 'Stream':
      for (const word of STREAM) {
        yield word
        await run.sleep(15)
      }
      return
    case 'Cut':
      yield 'Before the cut. '
      await run.sleep(50)
      cut()
      yield 'After the cut.'
      return
    case 'Approve': {
      yield 'I ask first. '
      const given = await run.ask({ kind: 'approval', message: 'May I?', subject: { name: 'send_mail', input: {} } })
      if (given.type === 'allowed') seen.approved += 1
      yield given.type === 'allowed' ? 'It is sent.' : 'I keep it.'
      return
    }
    case 'Count':
      run.signal.addEventListener('abort', () => {
        seen.stopped += 1
      })
      for (let count = 1; ; count += 1) {
        yield `${count} `
        await run.sleep(15)
      }
    case 'Code':
      yield `Take this:\n\n\`\`\`js\n${CODE}\n\`\`\``
      return
    default:
      yield `You said **${run.text}**, did you?`
  }
}

/** A page in use. */
interface Use {
  readonly hands: Hands
  readonly seen: KindServer['seen'][PageKind]
}

const shownOn = (hands: Hands): Promise<Shown> => hands.evaluate<Shown>('return window.kindPage.shown()')

/** Waits for a state of the page. */
function until(hands: Hands, what: string, isRight: (shown: Shown) => boolean): Promise<Shown> {
  return eventually(async () => {
    const shown = await shownOn(hands)
    if (!isRight(shown)) throw new Error(`Not on the page: ${what}. It shows ${JSON.stringify(shown)}`)
    return shown
  })
}

async function click(hands: Hands, selector: string): Promise<void> {
  const { x, y } = await eventually(async () => {
    const spot = await hands.evaluate<{ x: number; y: number } | null>(
      `return window.kindPage.spot(${JSON.stringify(selector)}) ?? null`,
    )
    if (!spot) throw new Error(`Nothing to press: ${selector}`)
    return spot
  })
  await hands.click(x, y)
}

async function ask(hands: Hands, question: string): Promise<void> {
  await click(hands, TEXT_BOX)
  await hands.type(question)
  await until(hands, `the draft ${question}`, ({ composer }) => composer === question)
  await hands.press('Enter')
  await until(hands, `the question ${question}`, ({ questions }) => questions.at(-1) === question)
}

const disturb = (hands: Hands): Promise<void> => hands.evaluate('await window.kindPage.disturb()')

async function ended(hands: Hands, answer: string): Promise<void> {
  await until(hands, answer, ({ isRunning, answers }) => !isRunning && answers.at(-1)?.trim() === answer)
}

function expectSame(what: string, found: unknown, right: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(right))
    throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(right)}`)
}

const TEXT_BOX = '.cs-chat > :last-child .cs-composer-text, .cs-dock .cs-composer-text'
const STOP = '.cs-dock .cs-send[data-stops], .cs-dock .cs-send'
const PLAIN_STREAM = STREAM.join('').replaceAll('*', '').trim()

/** One clipboard is shared by all pages. */
let clipboard: Promise<void> = Promise.resolve()

async function copied(hands: Hands, selector: string, right: string): Promise<void> {
  const before = clipboard
  let release = (): void => {}
  clipboard = new Promise((resolve) => (release = resolve))
  await before
  try {
    await click(hands, selector)
    await eventually(async () => {
      const outcome = await hands.evaluate<boolean>(
        `return window.kindPage.spot(${JSON.stringify(`${selector}[data-outcome=copied]`)}) !== undefined`,
      )
      if (!outcome) throw new Error(`Not copied: ${selector}`)
    })
    await click(hands, TEXT_BOX)
    await hands.press('Control+v')
    await until(hands, `what was copied: ${right}`, ({ composer }) => composer === right)
    await hands.press('Control+a')
    await hands.press('Backspace')
    await until(hands, 'an empty composer', ({ composer }) => composer === '')
  } finally {
    release()
  }
}

/** What is done with a chat: each ends with the chat at rest. */
export const ACTS: Readonly<Record<string, (use: Use) => Promise<void>>> = {
  async send({ hands }) {
    await ask(hands, 'Hello')
    await ended(hands, 'You said Hello, did you?')
  },

  async stream({ hands }) {
    await hands.evaluate('window.kindPage.watch()')
    await ask(hands, 'Stream')
    await until(hands, 'the beginning', ({ answers }) => answers.at(-1)?.startsWith('word 0 word 1 ') === true)
    await disturb(hands)
    await ended(hands, PLAIN_STREAM)
    const samples = await hands.evaluate<readonly string[]>('return [...window.kindPage.samples]')
    const others = ['', 'You said Hello, did you?']
    expectSame(
      'not a beginning of the answer',
      samples.filter((text) => !PLAIN_STREAM.startsWith(text.trim()) && !others.includes(text)),
      [],
    )
    expectSame('questions', (await shownOn(hands)).questions, ['Hello', 'Stream'])
  },

  async cut({ hands }) {
    await ask(hands, 'Cut')
    await ended(hands, 'Before the cut. After the cut.')
  },

  async approve({ hands, seen }) {
    await ask(hands, 'Approve')
    await until(hands, 'the text before', ({ answers }) => answers.at(-1)?.trim() === 'I ask first.')
    await disturb(hands)
    // Nothing answers before the card is armed.
    await click(hands, '.cs-prompt[data-ready] .cs-option-button[data-kind=primary]')
    await ended(hands, 'I ask first.It is sent.')
    expectSame('times approved', seen.approved, 1)
  },

  async stop({ hands, seen }) {
    const { stopped } = seen
    await ask(hands, 'Count')
    await until(hands, 'some numbers', ({ answers }) => answers.at(-1)?.startsWith('1 2 3 ') === true)
    await disturb(hands)
    await until(hands, 'more numbers', ({ answers }) => answers.at(-1)?.startsWith('1 2 3 4 5 6 7 8 9 10 11 ') === true)
    await click(hands, STOP)
    await until(hands, 'the end', ({ isRunning }) => !isRunning)
    await eventually(() => expectSame('runs stopped', seen.stopped, stopped + 1))
  },

  async copy({ hands }) {
    await ask(hands, 'Code')
    await until(hands, 'the code', ({ isRunning, answers }) => !isRunning && answers.at(-1)?.includes(CODE) === true)
    await copied(hands, '.cs-md-head button', CODE)
    await copied(hands, '[data-role=user] .cs-actions button[aria-label^="Cop"]', 'Code')
  },

  async edit({ hands }) {
    const { questions } = await shownOn(hands)
    await disturb(hands)
    await click(hands, '[data-role=user] .cs-actions button[aria-label="Edit"]')
    await until(hands, 'an editor', ({ questions: { length } }) => length < questions.length)
    await hands.press('Control+a')
    await hands.type('Edited')
    await hands.press('Enter')
    await ended(hands, 'You said Edited, did you?')
    expectSame('questions', (await shownOn(hands)).questions, [...questions.slice(0, -1), 'Edited'])
  },

  async escape({ hands, seen }) {
    const { stopped } = seen
    await ask(hands, 'Count')
    await until(hands, 'some numbers', ({ answers }) => answers.at(-1)?.startsWith('1 2 3 ') === true)
    await click(hands, '.open-info')
    await until(hands, 'a popover', ({ hasPopover }) => hasPopover)
    await hands.press('Escape')
    const closed = await until(hands, 'no popover', ({ hasPopover }) => !hasPopover)
    const length = closed.answers.at(-1)?.length ?? 0
    await until(
      hands,
      'more numbers',
      ({ isRunning, answers }) => isRunning && (answers.at(-1)?.length ?? 0) > length + 9,
    )
    expectSame('runs stopped by the first Escape', seen.stopped, stopped)
    await click(hands, TEXT_BOX)
    await hands.press('Escape')
    await until(hands, 'the end', ({ isRunning }) => !isRunning)
    await eventually(() => expectSame('runs stopped by the second Escape', seen.stopped, stopped + 1))
  },
}

/** Opens a page of this kind, and gives what came of each act, in their order. */
export async function useKind(
  hands: Hands,
  { origin, seen }: KindServer,
  kind: PageKind,
): Promise<ReadonlyMap<string, Error | undefined>> {
  const outcomes = new Map<string, Error | undefined>()
  await hands.open(`${origin}/?kind=${kind}`)
  for (const [name, act] of Object.entries(ACTS)) {
    try {
      await act({ hands, seen: seen[kind] })
      expectSame('faults of the page', await hands.evaluate('return window.kindPage.faults.splice(0)'), [])
      outcomes.set(name, undefined)
    } catch (error) {
      outcomes.set(name, error instanceof Error ? error : new Error(String(error)))
    }
  }
  await hands.close()
  return outcomes
}
