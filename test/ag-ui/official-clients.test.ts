import { describe, expect, it } from 'vitest'
import { serveProxy } from '../server/serve-proxy.ts'
import { PATIENTLY } from '../server/serve-wire.ts'
import { cutEvery, recordAnswer } from '../support/cut-posts.ts'
import { serveCapstan } from './capstan-server.ts'
import { chatClientAt, httpAgentAt } from './official-clients.ts'
import { LONG } from './script.ts'
import { mailTool, serveTanStack } from './tanstack-server.ts'

// The official client of AG-UI and that of TanStack AI, with servers of capstan and of TanStack AI, with and without the proxy.

interface Server {
  readonly url: string
  readonly mails: readonly unknown[]
}

const SERVERS = {
  'an agent of capstan': () => serveCapstan(),
  'TanStack AI without a log': () => serveTanStack({ keeps: false }),
} satisfies Record<string, () => Promise<Server>>

type ServerName = keyof typeof SERVERS

async function open(name: ServerName, isProxied: boolean): Promise<Server> {
  const server = await SERVERS[name]()
  return isProxied ? { ...server, url: await proxied(server.url) } : server
}

async function proxied(url: string): Promise<string> {
  const { origin } = await serveProxy(url, { wire: 'ag-ui' })
  return `${origin}/api/agent`
}

const PATHS = [
  ['an agent of capstan', 'without a proxy', false],
  ['an agent of capstan', 'behind the proxy', true],
  ['TanStack AI without a log', 'without a proxy', false],
  ['TanStack AI without a log', 'behind the proxy', true],
] as const

describe.each(PATHS)("AG-UI's HttpAgent with %s, %s", (name, _how, isProxied) => {
  it('reads text and thoughts', async () => {
    const { url } = await open(name, isProxied)
    const page = httpAgentAt(url)
    expect(await page.say('think')).toEqual({ ended: 'finished', errors: [] })
    expect(page.shown().slice(1)).toEqual([
      ['reasoning', 'Bends wander.'],
      ['assistant', 'Rivers meander.'],
    ])
    expect(await page.say('long')).toEqual({ ended: 'finished', errors: [] })
    expect(page.shown().at(-1)).toEqual(['assistant', LONG.join('')])
  })

  it('is told about a failure, with what came before it', async () => {
    const { url } = await open(name, isProxied)
    const page = httpAgentAt(url)
    const { ended, errors } = await page.say('fail')
    expect([ended, errors.length]).toEqual(['finished', 1])
    expect(page.shown().at(-1)).toEqual(['assistant', 'Rivers '])
  })

  it('is interrupted by a tool that needs consent, which has not run', async () => {
    const { url, mails } = await open(name, isProxied)
    const page = httpAgentAt(url)
    await page.say('ask')
    expect(page.agent.pendingInterrupts).toHaveLength(1)
    expect(page.shown().at(-1)).toEqual(['assistant', 'send_email'])
    expect(mails).toEqual([])
  })
})

describe.each(PATHS.slice(0, 2))("AG-UI's HttpAgent with %s, %s", (name, _how, isProxied) => {
  it('reads a tool', async () => {
    const { url } = await open(name, isProxied)
    const page = httpAgentAt(url)
    await page.say('look up')
    expect(page.shown().slice(1)).toEqual([
      ['assistant', 'search'],
      ['tool', '3 hits for rivers'],
      ['assistant', 'So: 3 hits for rivers'],
    ])
  })

  it.each([
    [true, 'So: sent to ann@example.com', 1],
    [false, 'So: not sent', 0],
  ] as const)('answers what the tool asks: approved %s', async (approved, said, count) => {
    const { url, mails } = await open(name, isProxied)
    const page = httpAgentAt(url)
    await page.say('ask')
    expect(await page.answer({ approved })).toEqual({ ended: 'finished', errors: [] })
    expect(page.shown().at(-1)).toEqual(['assistant', said])
    expect(mails).toHaveLength(count)
  })
})

// It follows the specification where TanStack's server does not.
describe.each([
  ['without a proxy', false],
  ['behind the proxy', true],
] as const)('HttpAgent with TanStack AI, %s, cannot read', (_how, isProxied) => {
  const urlOf = async (keeps: boolean): Promise<string> => {
    const { url } = await serveTanStack({ keeps })
    return isProxied ? proxied(url) : url
  }

  it('a tool loop: the first of its runs has finished', async () => {
    const { ended } = await httpAgentAt(await urlOf(false)).say('look up')
    expect(ended).toContain("The run has already finished with 'RUN_FINISHED'")
  })

  it('the answer to an interrupt: it names no parent run', async () => {
    const page = httpAgentAt(await urlOf(false))
    await page.say('ask')
    const { errors } = await page.answer({ approved: true })
    expect(errors).toHaveLength(1)
  })

  it('anything of a server with a log: RUN_STARTED is not the first event', async () => {
    const { ended } = await httpAgentAt(await urlOf(true)).say('hello')
    expect(ended).toContain("First event must be 'RUN_STARTED'")
  })
})

describe.each(PATHS)("TanStack AI's client with %s, %s", (name, _how, isProxied) => {
  it('reads text, thoughts and tools', async () => {
    const { url } = await open(name, isProxied)
    const page = chatClientAt(url)
    await page.say('think')
    expect(page.shown()).toEqual(['Bends wander.', 'Rivers meander.'])
    await page.say('long')
    expect(page.shown()).toEqual([LONG.join('')])
    await page.say('look up')
    expect(page.shown()).toEqual([
      ['search', 'complete'],
      ['tool-result', '3 hits for rivers'],
      'So: 3 hits for rivers',
    ])
    expect([page.client.getStatus(), page.errors]).toEqual(['ready', []])
  })

  it('is told about a failure, with what came before it, and continues', async () => {
    const { url } = await open(name, isProxied)
    const page = chatClientAt(url)
    await page.say('fail')
    expect([page.client.getStatus(), page.errors.length, page.shown()]).toEqual(['error', 1, ['Rivers ']])
    await page.say('hello')
    expect([page.client.getStatus(), page.shown()]).toEqual(['ready', ['Rivers meander.']])
  })

  it.each([
    ['allowed', { approved: true }, ['ann@example.com']],
    ['allowed with other arguments', { approved: true, editedArgs: { to: 'bob@example.com' } }, ['bob@example.com']],
    ['refused', { approved: false }, []],
  ] as const)('shows a tool that needs consent, which runs as it was %s', async (_said, payload, sent) => {
    const { url, mails } = await open(name, isProxied)
    const page = chatClientAt(url, fetch, [mailTool])
    await page.say('ask')
    expect(page.shown()).toEqual([['send_email', 'approval-requested']])
    expect(mails).toEqual([])
    page.answer(payload)
    await expect.poll(() => page.shown().at(-1), PATIENTLY).toMatch(/^So: /)
    await expect.poll(() => page.client.getStatus(), PATIENTLY).toBe('ready')
    expect([page.errors, page.client.getInterrupts()]).toEqual([[], []])
    await page.say('hello')
    // While the client tidies up behind an answer, it queues what is said.
    await expect.poll(() => page.shown(), PATIENTLY).toEqual(['Rivers meander.'])
    expect(mails).toEqual(sent.map((to) => ({ to })))
  })
})

describe.each(PATHS.slice(0, 2))("TanStack AI's client with %s, %s", (name, _how, isProxied) => {
  it('has no controls for a form, which is not a call of a tool, and is answered by program', async () => {
    const { url } = await open(name, isProxied)
    const page = chatClientAt(url)
    await page.say('where')
    const [asked] = page.client.getInterrupts()
    expect(asked).toMatchObject({ kind: 'unbound', canResolve: false, message: 'Where are you?' })
    const answer = { interruptId: asked?.interruptId, status: 'resolved', payload: { city: 'Ulm' } }
    expect(await page.client.resumeInterruptsUnsafe([answer])).toBe(true)
    expect(page.shown()).toEqual(['So: {"city":"Ulm"}'])
  })
})

describe('a page that goes away in the middle of an answer', () => {
  interface Page {
    say(text: string): Promise<unknown>
    leave(): void
    /** Whether something of the answer is shown. */
    hasBegun(): boolean
  }

  const PAGES: Readonly<Record<string, (url: string) => Page>> = {
    HttpAgent: (url) => {
      const page = httpAgentAt(url)
      return { ...page, leave: () => page.agent.abortRun(), hasBegun: () => page.shown().length > 1 }
    },
    "TanStack AI's client": (url) => {
      const page = chatClientAt(url)
      return { ...page, leave: () => page.client.stop(), hasBegun: () => page.shown().includes('Rivers ') }
    },
  }

  it.each(Object.entries(PAGES))(
    'leaves the run of %s to the proxy, whose log has all of it',
    async (_name, pageAt) => {
      let goOn = (): void => {}
      const pause = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const server = await serveCapstan({ pause })
      // What the client has posted is what it makes.
      const posted: string[] = []
      const { origin } = await serveProxy(server.url, {
        wire: 'ag-ui',
        async authorize(http) {
          if (http.method === 'POST') posted.push(await http.clone().text())
          return 'ann'
        },
      })
      const url = `${origin}/api/agent`
      const page = pageAt(url)
      const said = page.say('hello')
      await expect.poll(() => page.hasBegun(), PATIENTLY).toBe(true)
      page.leave()
      await said
      goOn()
      const { runId } = JSON.parse(posted[0] ?? '') as { readonly runId: string }
      const log = await (await fetch(`${url}?runId=${runId}`)).text()
      expect(log).toContain('"delta":"meander."')
      expect(log).toContain('"outcome":{"type":"success"}')
      expect(server.seen).toHaveLength(1)
    },
  )
})

describe.each([
  ['without a proxy', false],
  ['behind the proxy', true],
] as const)('HttpAgent, %s,', (_how, isProxied) => {
  it('takes an answer that is cut as if in order for whole, and never asks for the rest', async () => {
    const server = await serveTanStack({ keeps: false })
    const url = isProxied ? await proxied(server.url) : server.url
    const page = httpAgentAt(url, async (to, init) => {
      const response = await fetch(to, init)
      const whole = await response.text()
      // Between two frames; in the middle of one it is told about a JSON that is none.
      return new Response(whole.slice(0, whole.indexOf('\n\n', whole.length / 2) + 2), response)
    })
    expect(await page.say('long')).toEqual({ ended: 'finished', errors: [] })
    const [, said] = [page.shown().at(-1)].flat()
    expect(LONG.join('')).toContain(said)
    expect(said).not.toBe(LONG.join(''))
    expect(server.posted).toHaveLength(1)
  })
})

describe("TanStack AI's client behind the proxy", () => {
  it('is exact, cut at every seventh byte of an answer of 2 kB, with one POST', { timeout: 300_000 }, async () => {
    const server = await serveTanStack({ keeps: false })
    const url = await proxied(server.url)
    const whole = await recordAnswer((through) => chatClientAt(url, through).say('long'))
    const length = Buffer.byteLength(whole)
    expect(length).toBeGreaterThan(2000)
    // It resumes only what it has an id of: the comment and the first frame are whole, also where its own ids are longer.
    const from = whole.indexOf('\n\n', whole.indexOf('id: ')) + 50
    const { cuts } = await cutEvery({ length, step: 7, from }, async (through, at) => {
      let posts = 0
      // It resumes by another POST, which is whole.
      const page = chatClientAt(url, (to, init) => (posts++ === 0 ? through : fetch)(to, init))
      await page.say('long')
      expect([at, page.client.getStatus(), page.errors, page.shown()]).toEqual([at, 'ready', [], [LONG.join('')]])
    })
    expect(server.posted).toHaveLength(cuts + 1)
  })
})
