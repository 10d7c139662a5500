import { expect, it, onTestFinished, vi } from 'vitest'
import { createAgentHandler } from '../../../../src/server/handler/agent-handler.ts'
import { redisEventLog, type RedisEventLog } from '../../../../src/server/event-log/redis/redis-event-log.ts'
import { create, frame, never, readAll } from '../../event-log-contract.ts'
import { allPackets, postRequest } from '../../peer.ts'
import { connect, describeWithRedis, startRedis, type RedisServer, type TestClient } from '../../redis-server.ts'

let server: RedisServer | undefined
let prefixes = 0

interface Opened {
  readonly log: RedisEventLog
  readonly client: TestClient
  /** The commands of this process, by their names. */
  readonly sent: string[]
  /** Lets the reply of the next command be lost on its way. */
  loseReply(): void
}

async function open(prefix = `batches-${++prefixes}:`): Promise<Opened> {
  server ??= await startRedis()
  const client = await connect(server.url)
  const sent: string[] = []
  let lose = false
  const sendCommand = async (args: readonly string[]): Promise<unknown> => {
    sent.push(String(args[0]))
    const reply = await client.sendCommand([...args])
    if (!lose || args[0] !== 'EVALSHA') return reply
    lose = false
    throw new Error('Socket closed unexpectedly')
  }
  const duplicate = (): TestClient => {
    const own = client.duplicate()
    const sending = own.sendCommand.bind(own)
    vi.spyOn(own, 'sendCommand').mockImplementation(async (args) => {
      sent.push(String(args[0]))
      return sending(args)
    })
    return own
  }
  const log = redisEventLog({ client: { sendCommand, duplicate }, prefix })
  onTestFinished(() => log.close())
  return { log, client, sent, loseReply: () => (lose = true) }
}

const frames = (from: number, to: number): ReturnType<typeof frame>[] =>
  Array.from({ length: to - from }, (_, index) => frame(String(from + index)))

/** How many commands Redis has carried out, those inside of scripts included. */
async function carriedOut(client: TestClient): Promise<number> {
  return Number(/total_commands_processed:(\d+)/.exec(await client.info('stats'))?.[1])
}

describeWithRedis('packets on their way to Redis', () => {
  it('take at most two commands each where an agent speaks in bursts, and one step for each burst', async () => {
    const { log, client, sent } = await open()
    const handler = createAgentHandler({
      log,
      agent: async function* (_request, run) {
        for (let packet = 0; packet < 200; packet++) {
          if (packet % 10 === 0) await run.sleep(1)
          yield `packet ${packet} `
        }
      },
    })
    await allPackets(await handler(postRequest('http://agent.example/assist', { requestId: crypto.randomUUID() })))
    const before = await carriedOut(client)
    sent.length = 0
    const response = await handler(postRequest('http://agent.example/assist', { requestId: crypto.randomUUID() }))
    expect(await allPackets(response)).toHaveLength(201)
    // The count itself is a command.
    const commands = (await carriedOut(client)) - before - 1
    expect(commands / 201).toBeLessThanOrEqual(2)
    // Of a burst the first packet goes at once and the others together: begin, open, 20 times two, end and close.
    expect(sent.filter((name) => name === 'EVALSHA').length).toBeLessThanOrEqual(46)
  })

  it('are read beside their writer without asking Redis, and from Redis elsewhere', async () => {
    const here = await open('beside:')
    const there = await open('beside:')
    const { writer, reader } = await create(here.log, 'run')
    const found = await there.log.find('run')
    if (found.state !== 'exists') throw new Error(`expected to find the run, got ${found.state}`)
    const reading = Promise.all([readAll(reader), readAll(found.reader)])
    for (let from = 0; from < 100; from += 10) await writer.appendAll?.(frames(from, from + 10))
    await writer.close()
    expect(await reading).toEqual([frames(0, 100), frames(0, 100)])
    expect(here.sent).not.toContain('XREAD')
    expect(there.sent).toContain('XREAD')
    expect(here.sent.filter((name) => name === 'EVALSHA')).toHaveLength(12)
  })

  it('of which only the reply is lost are there once and whole', async () => {
    const { log, loseReply } = await open()
    const { writer } = await create(log, 'run')
    for (let from = 0; from < 30; from += 10) {
      loseReply()
      await writer.appendAll?.(frames(from, from + 10))
    }
    await writer.close()
    const found = await log.find('run')
    if (found.state !== 'exists') throw new Error(`expected to find the run, got ${found.state}`)
    expect(await readAll(found.reader)).toEqual(frames(0, 30))
  })

  it('are refused together when another writer owns the run, and nothing of them is there', async () => {
    const here = await open('fenced:')
    const { writer } = await create(here.log, 'run')
    await writer.appendAll?.(frames(0, 2))
    // What the one that takes over does.
    await here.client.sendCommand(['HSET', 'fenced:run:run', 'writer', 'another'])
    await expect(writer.appendAll?.(frames(2, 5))).rejects.toMatchObject({ code: 'log_expired' })
    const [stream = ''] = await here.client.keys('fenced:log:*')
    expect(await here.client.xRange(stream, '1-0', '+')).toHaveLength(2)
  })

  it('are told to those who follow here as soon as the run is thrown away here', async () => {
    const { log } = await open()
    const { writer, reader } = await create(log, 'run')
    await writer.append(frame('a'))
    expect((await reader.read(0, never)).end).toBe(1)
    const waiting = reader.read(1, never).catch((error: unknown) => error)
    await log.expire('run')
    expect(await waiting).toMatchObject({ code: 'log_expired' })
  })
})
