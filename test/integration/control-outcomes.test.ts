import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { CapClient } from '../../src/index.ts'
import type { Prompt } from '../../src/seam/prompt.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import { createChat } from '../../src/state/chat.ts'
import { promptsOf } from '../../src/state/prompts.ts'
import type { CommandFault } from '../../src/testing/command-fault.ts'
import { faultyServer } from '../../src/testing/faulty-server.ts'
import { startInstance } from '../server/instance-process.ts'
import { serve } from '../server/peer.ts'

// The table of what a page says of a command and what the agent did. `PRINT_TABLE=1 npx vitest run --project unit
// test/integration/control-outcomes.test.ts` prints it.

type Command = 'cancel' | 'answer' | 'say'
type Fault = CommandFault | 'killed before' | 'killed after' | undefined

/** One line of the table. */
interface Row {
  readonly command: Command
  readonly outcome: string
  /** What the agent did after it had asked, in order. */
  readonly acts: readonly string[]
  readonly returned: string
  readonly shown: string
}

const OUTCOMES: Readonly<Record<string, (page: string) => Fault>> = {
  delivered: () => undefined,
  lost: () => ({ type: 'lose' }),
  'reply lost': () => ({ type: 'lose-answer' }),
  doubled: () => ({ type: 'double' }),
  late: () => ({ type: 'delay', ms: 200 }),
  refused: () => ({ type: 'status', status: 403 }),
  'HTML 200': () => ({ type: 'page' }),
  redirect: (page) => ({ type: 'redirect', location: page }),
  'HTML 409': () => ({ type: 'status', status: 409 }),
  'empty 204': () => ({ type: 'status', status: 204 }),
  'killed before': () => 'killed before',
  'killed after': () => 'killed after',
}

/** What must come out of it: the agent's acts, what the call returned, and what the page shows. */
const TABLE: Readonly<Record<Command, Readonly<Record<string, readonly [string, string, string]>>>> = {
  cancel: {
    delivered: ['stopped', 'cancelled', 'stopped cancelled'],
    lost: ['nothing', 'left', 'stopped left'],
    'reply lost': ['stopped', 'left', 'stopped left'],
    doubled: ['stopped', 'cancelled', 'stopped cancelled'],
    late: ['stopped', 'cancelled', 'stopped cancelled'],
    refused: ['nothing', 'left', 'stopped left'],
    'HTML 200': ['nothing', 'left', 'stopped left'],
    redirect: ['nothing', 'left', 'stopped left'],
    'HTML 409': ['nothing', 'left', 'stopped left'],
    'empty 204': ['nothing', 'left', 'stopped left'],
    'killed before': ['nothing', 'left', 'stopped left'],
    'killed after': ['stopped', 'left', 'stopped left'],
  },
  answer: {
    delivered: ['sent', 'accepted', 'answered'],
    lost: ['nothing', 'unconfirmed', 'unconfirmed'],
    // The events of the run report what the reply would have.
    'reply lost': ['sent', 'accepted', 'answered'],
    doubled: ['sent', 'accepted', 'answered'],
    late: ['sent', 'accepted', 'answered'],
    refused: ['nothing', 'refused', 'open'],
    'HTML 200': ['nothing', 'unconfirmed', 'unconfirmed'],
    redirect: ['nothing', 'refused', 'open'],
    'HTML 409': ['nothing', 'unconfirmed', 'unconfirmed'],
    'empty 204': ['nothing', 'unconfirmed', 'unconfirmed'],
    'killed before': ['nothing', 'unconfirmed', 'unconfirmed'],
    'killed after': ['sent', 'unconfirmed', 'unconfirmed'],
  },
  say: {
    delivered: ['heard North', 'accepted', 'sent'],
    lost: ['nothing', 'accepted', 'not-sent'],
    'reply lost': ['heard North', 'accepted', 'sent'],
    doubled: ['heard North', 'accepted', 'sent'],
    late: ['heard North', 'accepted', 'sent'],
    refused: ['nothing', 'accepted', 'not-sent'],
    'HTML 200': ['nothing', 'accepted', 'not-sent'],
    redirect: ['nothing', 'accepted', 'not-sent'],
    'HTML 409': ['nothing', 'accepted', 'not-sent'],
    'empty 204': ['nothing', 'accepted', 'not-sent'],
    'killed before': ['nothing', 'accepted', 'not-sent'],
    'killed after': ['heard North', 'accepted', 'not-sent'],
  },
}

const rows: Row[] = []
const NETWORK = 'http://agent.test'

afterAll(() => {
  if (process.env['PRINT_TABLE'] === undefined) return
  const printed = rows.map(({ command, outcome, acts, returned, shown }) =>
    ['', command, outcome, acts.join(', ') || 'nothing', returned, shown, ''].join(' | ').trim(),
  )
  console.log(['| Command | Outcome | Agent | Returned | Shown |', '|---|---|---|---|---|', ...printed].join('\n'))
})

async function until(is: () => boolean): Promise<void> {
  await expect.poll(is, { interval: 5, timeout: 30_000 }).toBe(true)
}

const prompts = (chat: ChatInstance): readonly Prompt[] => chat.getSnapshot().messages.flatMap(promptsOf)

/** Where the agent is, and what it did. */
interface Place {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly acts: () => readonly string[]
  /** Whether the run continues for as long as nobody ends it. */
  readonly isAlive: boolean
}

async function inProcess(command: Command, fault: CommandFault | undefined): Promise<Place> {
  const acts: string[] = []
  const server = await faultyServer({
    commandFaults: ({ name }) => (name === command ? fault : undefined),
    async *agent(_request, run) {
      run.signal.addEventListener('abort', () => acts.push('stopped'))
      void (async () => {
        for await (const { text } of run.inbox) acts.push(`heard ${text}`)
      })()
      const { type } = await run.ask({ kind: 'approval', message: 'May I?', subject: { name: 'send', input: 1 } })
      if (type === 'allowed') acts.push('sent')
      yield type
    },
  })
  onTestFinished(() => server.close())
  return {
    fetch: (url, init) => fetch(url.replace(NETWORK, server.origin), init),
    acts: () => [...acts],
    isAlive: true,
  }
}

async function inAnotherProcess(command: Command, dies: 'killed before' | 'killed after'): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-outcomes-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'acts.txt')
  // An act counts once its line break is there: the file exists before the first act is written.
  const acts = (): readonly string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [])
  let instance = await startInstance({ ACTS_FILE: file }, 'consent-instance.ts')
  let isKilled = false
  return {
    acts,
    isAlive: false,
    async fetch(url, init) {
      if (!isKilled && url.endsWith(`/${command}`)) {
        isKilled = true
        if (dies === 'killed after') {
          await fetch(url.replace(NETWORK, instance.origin), init)
          await until(() => acts().length > 0)
        }
        await instance.kill()
        instance = await startInstance({ ACTS_FILE: file }, 'consent-instance.ts')
        throw new TypeError('The server was killed.')
      }
      const response = await fetch(url.replace(NETWORK, instance.origin), init)
      if (response.body === null) return response
      // The page does not learn by the events what the command did: they are lost with the server.
      const body = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform: (bytes, to) => (isKilled ? undefined : to.enqueue(bytes)),
        }),
      )
      return new Response(body, response)
    },
  }
}

async function play(command: Command, outcome: string, fault: Fault): Promise<Row> {
  const isKill = fault === 'killed before' || fault === 'killed after'
  const { fetch: send, acts, isAlive } = await (isKill ? inAnotherProcess(command, fault) : inProcess(command, fault))
  const client = new CapClient({ baseUrl: NETWORK, maxRetries: 2, fetch: send, environment: { random: () => 0 } })
  const chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
  onTestFinished(() => chat.dispose())
  void chat.sendMessage('Write to Ann')
  await until(() => prompts(chat).some(({ state }) => state === 'open'))
  const [prompt] = prompts(chat)
  const answer = { type: 'option', optionId: 'allow-once', digest: prompt?.subject?.digest } as const
  const returned =
    command === 'cancel'
      ? await chat.stop()
      : (await (command === 'say' ? chat.say('North') : chat.answer(prompt?.id ?? '', answer))).status
  // What the agent does, and what the run reports of it, has arrived. A run of a process that died ends for the page.
  const isReported = isAlive && acts().includes('sent')
  if (command !== 'cancel' && (isReported || !isAlive))
    await until(() => ['ready', 'error'].includes(chat.getSnapshot().status))
  if (command === 'say' && isAlive && acts().length > 0) await until(() => said(chat) === 'sent')
  const message = chat.getSnapshot().messages.at(-1)
  const shown =
    command === 'cancel'
      ? `${message?.status} ${message?.stop}`
      : command === 'answer'
        ? prompts(chat)[0]?.state
        : said(chat)
  return { command, outcome, acts: acts(), returned, shown: String(shown) }
}

function said(chat: ChatInstance): string | undefined {
  const parts = chat.getSnapshot().messages.flatMap((message) => message.parts)
  const part = parts.find(({ type }) => type === 'said')
  return part?.type === 'said' ? part.status : undefined
}

/** What a page must never say, whatever the table has. */
function contradictionOf({ command, acts, returned, shown }: Row): string | undefined {
  const did = (act: string): boolean => acts.includes(act)
  if (new Set(acts).size < acts.length) return 'it was done twice'
  if (command === 'cancel') {
    if (returned === 'cancelled' && !did('stopped')) return 'the agent works on'
    return shown.endsWith(returned) ? undefined : 'the page shows something else than the call returned'
  }
  if (command === 'say') {
    if (shown === 'sent' && !did('heard North')) return 'nobody heard it'
    return shown === 'undefined' && did('heard North') ? 'the agent heard what the page does not show' : undefined
  }
  if (returned === 'accepted' && !did('sent')) return 'the agent has not taken it'
  if (shown === 'answered' && returned !== 'accepted') return 'the page shows something else than the call returned'
  if (did('sent') && shown !== 'answered' && shown !== 'unconfirmed') return 'what was done is shown as not done'
  return shown === 'answered' && !did('sent') ? 'what is shown as answered was not done' : undefined
}

describe.each(['cancel', 'answer', 'say'] as const)('the command %s', { timeout: 60_000 }, (command) => {
  it.each(Object.keys(OUTCOMES))(
    'that is %s has one result for the agent, the caller and the page',
    async (outcome) => {
      const page = await serve((_request, response) => {
        response.setHeader('content-type', 'text/html')
        response.end('<h1>Sign in</h1>')
      })
      const row = await play(command, outcome, OUTCOMES[outcome]?.(page))
      rows.push(row)
      expect(contradictionOf(row)).toBeUndefined()
      expect([row.acts.join(', ') || 'nothing', row.returned, row.shown]).toEqual(TABLE[command][outcome])
    },
  )
})
