import type { Clock } from '../../src/base/ports/clock.ts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import { ArcpClient, toolClient } from '../../src/protocols/arcp/client/arcp-client.ts'
import type { LeaseChange } from '../../src/seam/lease.ts'
import { createArcpRuntime } from '../../src/runtime/arcp-runtime.ts'
import { type ChatInstance, createChat, loadCommandsModule } from '../../src/state/chat.ts'
import { promptsOf } from '../../src/state/prompts.ts'
import { connectionLost, type DuplexTransport } from '../../src/wire/duplex-transport.ts'
import { memoryTransport } from '../../src/wire/memory-transport.ts'
import { loadArcpOnDemand } from '../support/load-arcp-on-demand.ts'
import { settle } from '../support/manual-clock.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'

// The table of what a page says of a change to a lease and what its runtime did. `PRINT_TABLE=1 npx vitest run --project unit
// test/integration/lease-outcomes.test.ts` prints it.

const OUTCOMES = ['delivered', 'lost', 'reply lost', 'doubled', 'late', 'refused', 'runtime gone'] as const

type Outcome = (typeof OUTCOMES)[number]

/** One line of the table. */
interface Row {
  readonly change: LeaseChange['type']
  readonly outcome: Outcome
  /** What holds at the runtime when everything has been said. */
  readonly runtime: string
  readonly returned: string
  readonly shown: string
}

/** What must come out of it: what holds at the runtime, what the call returned, and what the page shows. */
const TABLE: Readonly<Record<LeaseChange['type'], Readonly<Record<Outcome, readonly [string, string, string]>>>> = {
  revoke: {
    delivered: ['revoked', 'accepted', 'revoked'],
    lost: ['revoked', 'accepted', 'revoked'],
    // The events of the job report what the reply would have.
    'reply lost': ['revoked', 'unconfirmed', 'revoked'],
    doubled: ['revoked', 'accepted', 'revoked'],
    late: ['revoked', 'accepted', 'revoked'],
    refused: ['active', 'refused', 'active'],
    'runtime gone': ['active', 'unconfirmed', 'active'],
  },
  extend: {
    delivered: ['extended', 'accepted', 'extended'],
    lost: ['extended', 'accepted', 'extended'],
    'reply lost': ['extended', 'accepted', 'extended'],
    doubled: ['extended', 'accepted', 'extended'],
    late: ['extended', 'accepted', 'extended'],
    refused: ['active', 'refused', 'active'],
    'runtime gone': ['active', 'unconfirmed', 'active'],
  },
}

const FRAME: Readonly<Record<LeaseChange['type'], string>> = { revoke: 'lease.revoked', extend: 'lease.refresh' }
const LEASE_MS = 60_000
const rows: Row[] = []

beforeAll(() => Promise.all([loadArcpOnDemand(), loadCommandsModule()]))

afterAll(() => {
  if (process.env['PRINT_TABLE'] === undefined) return
  const printed = rows.map((row) =>
    ['', row.change, row.outcome, row.runtime, row.returned, row.shown, ''].join(' | ').trim(),
  )
  console.log(['| Change | Outcome | Runtime | Returned | Shown |', '|---|---|---|---|---|', ...printed].join('\n'))
})

/** A transport that breaks at the first frame with a change. */
function faulty(inner: DuplexTransport, type: string, outcome: Outcome, clock: Clock): DuplexTransport {
  let isMet = false
  const held: string[] = []
  return {
    async connect(options) {
      if (isMet && outcome === 'runtime gone') throw connectionLost('Nothing listens.')
      const connection = await inner.connect(options)
      return {
        frames: connection.frames,
        close: () => connection.close(),
        send(frame) {
          // Frames keep their order.
          if (held.length > 0) return void held.push(frame)
          if (isMet || !frame.includes(`"type":"${type}"`)) return connection.send(frame)
          isMet = true
          if (outcome === 'lost' || outcome === 'runtime gone') return connection.close()
          if (outcome === 'late') {
            held.push(frame)
            return void clock.after(100, () => held.splice(0).forEach((each) => connection.send(each)))
          }
          if (outcome === 'refused') return connection.send(frame.replace(/lease_[0-9a-z-]+/, 'lease_of_another'))
          connection.send(frame)
          if (outcome === 'doubled') connection.send(frame)
          if (outcome === 'reply lost') connection.close()
        },
      }
    },
  }
}

const leaseOf = (chat: ChatInstance) =>
  chat
    .getSnapshot()
    .messages.flatMap(({ parts }) => parts)
    .find((part) => part.type === 'lease')

async function play(type: LeaseChange['type'], outcome: Outcome): Promise<Row> {
  const environment = createManualEnvironment()
  let lease: { readonly signal: AbortSignal; readonly expiresAt: number } | undefined
  const runtime = createArcpRuntime({
    environment,
    tools: {
      async write(_given, { requestPermission, signal }) {
        lease = await requestPermission({
          permission: 'fs.write',
          resource: 'a.txt',
          operation: 'write',
          leaseSeconds: LEASE_MS / 1000,
        })
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return 'Stopped.'
      },
    },
  })
  const arcp = new ArcpClient({
    transport: faulty(memoryTransport(runtime.accept), FRAME[type], outcome, environment.clock),
    environment,
    retry: backoff({ maxAttempts: 3 }),
  })
  const client = toolClient(arcp, { tool: 'write', toArguments: () => ({}) })
  const chat = createChat({ client: () => client, conversationId: 'c1' })
  onTestFinished(async () => {
    arcp.close()
    await chat.dispose()
    await runtime.close()
  })
  const pass = async (ms: number): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await settle()
    await environment.clock.advance(ms)
    for (let turn = 0; turn < 20; turn += 1) await settle()
    environment.paint()
  }
  void chat.sendMessage('Write it down.')
  await pass(100)
  const [prompt] = chat.getSnapshot().messages.flatMap(promptsOf)
  const optionId = prompt?.options?.find(({ kind }) => kind === 'allow-once')?.id ?? ''
  const granted = chat.answer(prompt?.id ?? '', { type: 'option', optionId, digest: prompt?.subject?.digest })
  await pass(100)
  expect(await granted).toEqual({ status: 'accepted' })
  const before = lease?.expiresAt ?? Number.NaN
  const shownBefore = leaseOf(chat)?.lease.until ?? Number.NaN
  const changing = chat.changeLease(leaseOf(chat)?.id ?? '', type === 'revoke' ? { type } : { type, ms: 10 * LEASE_MS })
  for (let second = 0; second < 40; second += 1) await pass(1000)
  const { status: returned } = await changing
  const { lease: shown } = leaseOf(chat) ?? {}
  const isExtended = (shown?.until ?? 0) > shownBefore
  return {
    change: type,
    outcome,
    runtime: lease?.signal.aborted === true ? 'revoked' : (lease?.expiresAt ?? 0) > before ? 'extended' : 'active',
    returned,
    shown: shown?.state === 'active' ? (isExtended ? 'extended' : 'active') : String(shown?.state),
  }
}

describe.each(['revoke', 'extend'] as const)('the change %s of a lease', (change) => {
  it.each(OUTCOMES)('that is %s has one result for the runtime, the caller and the page', async (outcome) => {
    const row = await play(change, outcome)
    rows.push(row)
    expect([row.runtime, row.returned, row.shown]).toEqual(TABLE[change][outcome])
  })
})
