import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { DocsPage } from '../../../../playground/server/docs/docs-page.ts'
import type { Prompt, PromptAnswer } from '../../../../src/seam/prompt.ts'
import type { ManualClock } from '../../../support/manual-clock.ts'
import { createManualClock } from '../../../support/manual-clock.ts'
import { instantPace } from '../../instant-pace.ts'
import type { OpenChat } from '../../open-chat.ts'
import { openChat } from '../../open-chat.ts'
import type { OpenPlayground } from '../../open-playground.ts'
import { openPlayground } from '../../open-playground.ts'

const SAILS: DocsPage = {
  path: 'docs/sails.md',
  markdown: `# Sails

A sail is a wing of cloth.

## Reefing the mainsail

Take in the first reef before the wind makes you.

## Reefing the jib

Roll in the first reef before the wind makes you.

## Washing

Salt makes the cloth stiff, so rinse it.
`,
}

const ALLOW = (prompt: Prompt, edits?: unknown): PromptAnswer => ({
  type: 'option',
  optionId: prompt.options?.find(({ kind }) => kind === 'allow-once')?.id ?? '',
  digest: prompt.subject?.digest,
  edits,
})

/** A chat that has asked the docs agent something, and the prompt that came back. */
async function ask(
  question: string,
  playground?: OpenPlayground,
): Promise<OpenChat & { readonly prompt: Prompt; readonly done: Promise<unknown> }> {
  const opened = openChat(playground ?? (await openPlayground({ pages: [SAILS] })))
  const done = opened.chat.sendMessage(question)
  return { ...opened, prompt: await opened.asked(), done }
}

describe('a keyword that could mean several sections', () => {
  it('is asked back, and answered from the section that is chosen', async () => {
    const { chat, prompt, done, text } = await ask('reefing')
    expect(prompt.message).toContain('“reefing”')
    expect(prompt.options?.map(({ label, description }) => `${label}, ${description}`)).toEqual([
      'Reefing the mainsail, Sails',
      'Reefing the jib, Sails',
      'All of it, undefined',
    ])
    await chat.answer(prompt.id, { type: 'option', optionId: '/docs/sails#reefing-the-mainsail' })
    await done
    expect(text()).toContain('Take in the first reef')
    expect(text()).not.toContain('Roll in')
  })

  it('is answered from all of them when nobody chooses', async () => {
    const clock = createManualClock()
    const { done, text, prompts } = await ask('reefing', await openPlayground({ pages: [SAILS], clock }))
    await clock.advance(120_000)
    await done
    expect(prompts().map(({ state }) => state)).toEqual(['expired'])
    expect(text()).toContain('Take in the first reef')
    expect(text()).toContain('Roll in the first reef')
  })

  it('is left alone when the user declines', async () => {
    const { chat, prompt, done, text } = await ask('reefing')
    await chat.answer(prompt.id, { type: 'decline' })
    await done
    expect(text()).toBe('Then ask me in other words.')
  })

  it.each(['washing', 'How do I reef early?'])('is not what "%s" is: it is answered at once', async (question) => {
    const { chat, prompts, text } = openChat(await openPlayground({ pages: [SAILS] }))
    await chat.sendMessage(question)
    expect(prompts()).toEqual([])
    expect(text()).not.toBe('')
  })
})

describe('the summary of a page', () => {
  async function summarize(): Promise<Awaited<ReturnType<typeof ask>> & { readonly folder: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'playground-test-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const playground = await openPlayground({ pages: [SAILS], outputFolder: folder })
    return { ...(await ask('Summarize the page about sails', playground)), folder }
  }

  it('is said, and written to a file once that is allowed', async () => {
    const { chat, prompt, done, text, folder } = await summarize()
    expect(text()).toContain('# Sails, in short')
    expect(text()).toContain('- **Washing** Salt makes the cloth stiff, so rinse it.')
    expect(await readdir(folder)).toEqual([])
    await chat.answer(prompt.id, ALLOW(prompt))
    await done
    expect(text()).toContain(`Written to \`${join(folder, 'sails-summary.md')}\`.`)
    expect(await readFile(join(folder, 'sails-summary.md'), 'utf8')).toContain('# Sails, in short')
    expect(await readdir(folder)).toHaveLength(1)
  })

  it('is written as the user changed it', async () => {
    const { chat, prompt, done, folder } = await summarize()
    await chat.answer(prompt.id, ALLOW(prompt, { name: 'cloth.md', text: 'A wing of cloth.' }))
    await done
    expect(await readFile(join(folder, 'cloth.md'), 'utf8')).toBe('A wing of cloth.')
  })

  it.each(['../cloth.md', '/cloth.md', 'cloth.sh', 'a/b.md', '.md'])('is not written to %s', async (name) => {
    const { chat, prompt, folder } = await summarize()
    expect(await chat.answer(prompt.id, ALLOW(prompt, { name, text: 'A wing.' }))).toMatchObject({
      status: 'invalid',
      errors: [{ path: '/name' }],
    })
    expect(await readdir(folder)).toEqual([])
  })

  it('is not written when the user says no, or stops', async () => {
    const refused = await summarize()
    await refused.chat.answer(refused.prompt.id, { type: 'decline' })
    await refused.done
    expect(refused.text()).toContain('I have written nothing.')
    expect(await readdir(refused.folder)).toEqual([])
    const stopped = await summarize()
    expect(await stopped.chat.stop()).toBe('cancelled')
    expect(await readdir(stopped.folder)).toEqual([])
  })

  it('of a page that there is none of is searched for like anything else', async () => {
    const { chat, text } = openChat(await openPlayground({ pages: [SAILS] }))
    await chat.sendMessage('Summarize the page about bread')
    expect(text()).toContain('I couldn’t find an answer')
  })
})

describe('an answer that grows', () => {
  interface Growing extends OpenChat {
    readonly clock: ManualClock
    readonly done: Promise<unknown>
    /** Bytes of the log of the run. */
    logged(): Promise<number | undefined>
  }

  async function growing(): Promise<Growing> {
    const clock = createManualClock()
    const pace = { ...instantPace, deltaMs: 1_000, random: () => 0 }
    const playground = await openPlayground({ pages: [SAILS], clock, pace })
    const opened = openChat(playground)
    const done = opened.chat.sendMessage('When do I take in the first reef of the mainsail?')
    await opened.until(() => opened.text() !== '')
    const logged = async (): Promise<number | undefined> => (await playground.state()).runs[0]?.logBytes
    return { ...opened, clock, done, logged }
  }

  it('is stopped where it is', async () => {
    const { chat, clock, done, logged } = await growing()
    expect(await chat.stop()).toBe('cancelled')
    await done
    const bytes = await logged()
    await clock.advance(60_000)
    expect(await logged()).toBe(bytes)
  })

  it('turns to what is said into it', async () => {
    const { chat, clock, text, done } = await growing()
    expect(await chat.say('How do I do the washing?')).toEqual({ status: 'accepted' })
    await clock.advance(60_000)
    await done
    expect(text()).toContain('Salt makes the cloth stiff')
    expect(chat.getSnapshot().messages[1]?.parts.map(({ type }) => type)).toContain('said')
  })
})
