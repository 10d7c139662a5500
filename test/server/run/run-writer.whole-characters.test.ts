import { describe, expect, it } from 'vitest'
import { CapClient } from '../../../src/protocols/cap/client/cap-client.ts'
import { stringifyWellFormed } from '../../../src/base/bounded-json.ts'
import { close, event, fatal, onStream, warning } from '../../../src/server/run/agent-output.ts'
import type { Agent } from '../../../src/server/run/agent.ts'
import { collect, post, textOf } from '../peer.ts'
import { serveAgent } from '../serve-agent.ts'
import type { StreamPacket } from '../../../src/protocols/cap/schema/packet.ts'

const HIGH = '\ud83c'
const LOW = '\udf0a'
const WAVE = HIGH + LOW
const UNKNOWN = '\ufffd'

/** Every packet, after a look at the bytes: an escape of half a character is what reference clients refuse. */
async function packetsOf(agent: Agent): Promise<StreamPacket[]> {
  const { url } = await serveAgent(agent)
  const text = await (await post(url)).text()
  expect(text).not.toMatch(/\\ud[89a-f]/i)
  // The server's own frames: strict packets, as other tests show.
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as StreamPacket)
}
const said = (packets: readonly StreamPacket[]): unknown[] => packets.map(({ op, p }) => (op === 'DELTA' ? p : op))

describe('a character that an agent says in two halves', () => {
  it('is sent whole', async () => {
    const packets = await packetsOf(async function* () {
      yield `Rivers ${HIGH}`
      yield `${LOW} bend.`
    })
    expect(said(packets)).toEqual(['Rivers ', `${WAVE} bend.`, 'CLOSE'])
    expect(packets.map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  it('is sent whole when a half comes alone, and when other things come in between', async () => {
    const packets = await packetsOf(async function* () {
      yield HIGH
      yield event('THOUGHT_TRACE', { thought: 'Looking' })
      yield ''
      yield warning('old', 'Old.')
      yield onStream('side', 'Side')
      yield LOW
    })
    expect(said(packets)).toEqual(['EVENT', 'ERROR', 'Side', WAVE, 'CLOSE', 'CLOSE'])
  })

  it('is put together per stream', async () => {
    const packets = await packetsOf(async function* () {
      yield onStream('a', `A${HIGH}`)
      yield onStream('b', `B${HIGH}`)
      yield onStream('a', LOW)
      yield onStream('b', LOW)
    })
    expect(said(packets)).toEqual(['A', 'B', WAVE, WAVE, 'CLOSE', 'CLOSE'])
  })

  it('is sent whole wherever a text is cut', async () => {
    const text = `${WAVE}a${WAVE}${WAVE}b${WAVE}`
    for (let size = 1; size <= text.length; size++) {
      const packets = await packetsOf(async function* () {
        for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
      })
      expect(textOf(packets), `pieces of ${size}`).toBe(text)
    }
  })
})

describe('half a character whose other half never comes', () => {
  it.each<readonly [what: string, agent: Agent, expected: unknown[]]>([
    [
      'at the end of the run',
      async function* () {
        yield `A${HIGH}`
      },
      ['A', UNKNOWN, 'CLOSE'],
    ],
    [
      'before close()',
      async function* () {
        yield `A${HIGH}`
        yield close()
      },
      ['A', UNKNOWN, 'CLOSE'],
    ],
    [
      'before fatal()',
      async function* () {
        yield `A${HIGH}`
        yield fatal('broken', 'Broken.')
      },
      ['A', UNKNOWN, 'ERROR', 'CLOSE'],
    ],
    [
      'before the agent fails',
      async function* () {
        yield `A${HIGH}`
        throw new Error('broken')
      },
      ['A', UNKNOWN, 'ERROR', 'CLOSE'],
    ],
    [
      'before text that does not go on',
      async function* () {
        yield `A${HIGH}`
        yield 'B'
      },
      ['A', `${UNKNOWN}B`, 'CLOSE'],
    ],
    [
      'before another first half',
      async function* () {
        yield `A${HIGH}`
        yield WAVE
      },
      ['A', UNKNOWN + WAVE, 'CLOSE'],
    ],
    [
      'and it is the second',
      async function* () {
        yield `A${LOW}`
      },
      [`A${UNKNOWN}`, 'CLOSE'],
    ],
    [
      'in the middle',
      async function* () {
        yield `A${HIGH}B`
      },
      [`A${UNKNOWN}B`, 'CLOSE'],
    ],
  ])('is sent as U+FFFD: %s', async (_what, agent, expected) => {
    expect(said(await packetsOf(agent))).toEqual(expected)
  })

  it('is sent as U+FFFD in events, errors and reasons as well, their keys included', async () => {
    const packets = await packetsOf(async function* () {
      yield event(`NOTE${HIGH}`, { [`key${LOW}`]: [`a${HIGH}`] })
      yield warning('old', `Old${HIGH}`)
      return `done${HIGH}`
    })
    expect(packets[0]?.p).toMatchObject({ type: `NOTE${UNKNOWN}`, data: { [`key${UNKNOWN}`]: [`a${UNKNOWN}`] } })
    expect(packets[1]?.p).toMatchObject({ message: `Old${UNKNOWN}` })
    expect(packets[2]?.p).toBe(`done${UNKNOWN}`)
  })

  it('is sent as U+FFFD in a JSON answer', async () => {
    const { url } = await serveAgent(async () => ({ output: { text: `A${HIGH}` } }))
    const body = await (await post(url)).text()
    expect(body).toContain(`"A${UNKNOWN}"`)
  })

  it('is sent as U+FFFD in a request', async () => {
    const bodies: unknown[] = []
    const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
      bodies.push(init.body)
      return new Response('', { status: 404 })
    }
    const client = new CapClient({ baseUrl: 'https://agent.example', fetch })
    await expect(collect(client.chat(`cut ${HIGH}`))).rejects.toMatchObject({ code: 'not_found' })
    expect(bodies).toEqual([expect.stringContaining(`"query":"cut ${UNKNOWN}"`)])
  })
})

describe('JSON without halves of characters', () => {
  it.each([
    ['half a character', `a${HIGH}`, `"a${UNKNOWN}"`],
    ['a whole one', WAVE, `"${WAVE}"`],
    ['two first halves and a second', HIGH + WAVE, `"${UNKNOWN}${WAVE}"`],
    ['text that looks like an escape', '\\ud83c', '"\\\\ud83c"'],
    ['half a character behind a backslash', `\\${HIGH}`, `"\\\\${UNKNOWN}"`],
    ['half a character behind text that looks like an escape', `\\ud83c${HIGH}`, `"\\\\ud83c${UNKNOWN}"`],
  ])('holds %s', (_what, value, json) => {
    expect(stringifyWellFormed(value)).toBe(json)
  })
})

describe('calls that no caller waits for', () => {
  it('keep their order around half a character', async () => {
    const packets = await packetsOf(async (_request, run) => {
      await Promise.all([
        run.write(`A${HIGH}`),
        run.write(onStream('side', `S${HIGH}`)),
        run.write(close('enough')),
        run.write(onStream('side', LOW)),
      ])
    })
    expect(said(packets)).toEqual(['A', 'S', UNKNOWN, 'CLOSE', WAVE, 'CLOSE'])
  })
})
