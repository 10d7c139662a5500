import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { BenchPage } from './bench-page.ts'
import type { Bench } from './open-bench.ts'
import { openBench } from './open-bench.ts'

let bench: Bench
let user: BenchPage

beforeAll(async () => {
  // Slow enough to be looked at on its way, however busy the machine.
  bench = await openBench({ deltaMs: 30, jitterMs: 10, stepMs: 25, random: () => Math.random() })
  user = await bench.open({})
})

afterAll(() => bench?.close())

afterEach(() => {
  expect(user.problems).toEqual([])
})

const visit = (scenario = ''): Promise<void> =>
  user.visit(`${bench.origin}/playground/index.html${scenario}`, { markdown: true })

/** Asks for nothing and leaves nothing: elements of an answer that were followed by another block, with what they said, and those that are gone or say something else. */
async function watchBlocks(): Promise<void> {
  await user.page.evaluate(() => {
    const said = new Map<Element, string>()
    const broken: string[] = []
    let looks = 0
    // The note comes after the text that names it: then, and only then, the empty mark has its number.
    const saidBy = (block: Element): string => block.textContent.replace('\u2007', '1')
    const look = (): void => {
      const root = document.querySelector('.cs-message[data-role="assistant"] .cs-md')
      if (!root) return
      looks++
      for (const [block, text] of said) {
        if (!root.contains(block)) broken.push(`gone: ${text}`)
        else if (saidBy(block) !== text) broken.push(`${text} became ${saidBy(block)}`)
      }
      for (const block of [...root.querySelectorAll(':scope > .cs-md-run > *')].slice(0, -1))
        said.set(block, saidBy(block))
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    Object.assign(globalThis, { blocks: () => ({ looks, kept: said.size, broken }) })
  })
}

interface Blocks {
  readonly looks: number
  readonly kept: number
  readonly broken: readonly string[]
}

describe('an answer in markdown', () => {
  it('ends with the elements it names, and takes back none of them on its way', async () => {
    await visit()
    await watchBlocks()
    await user.choose('Markdown')
    await user.ends('complete')

    const answer = user.answers().locator('.cs-md')
    const count = (selector: string): Promise<number> => answer.locator(selector).count()
    expect(await answer.locator('h2, h3').allTextContents()).toEqual([
      'River bends, a field guide',
      'What to look for',
      'In the order of a day',
    ])
    expect(await count(':scope > .cs-md-run > ul')).toBe(2)
    expect(await count(':scope > .cs-md-run > ol > li')).toBe(3)
    expect(await answer.locator('thead th').allTextContents()).toEqual(['Stretch', 'Width', 'Bends', 'Speed'])
    expect(await count('tbody tr')).toBe(3)
    expect(await count('td del')).toBe(1)
    expect(await answer.locator('pre code').textContent()).toContain("throw new RangeError('a river has a width')")
    expect(await count('blockquote p')).toBe(2)
    expect(await answer.getByRole('img', { name: 'Done' }).count()).toBe(1)
    expect(await answer.getByRole('img', { name: 'To do' }).count()).toBe(2)
    expect(await answer.getByRole('link', { name: 'river notes' }).getAttribute('href')).toBe(
      `${bench.origin}/docs/samples/rivers`,
    )
    expect(await answer.getByRole('button', { name: /^Source \d: / }).count()).toBe(3)
    expect(await answer.getByRole('region', { name: 'Footnotes' }).getByRole('listitem').count()).toBe(1)

    // What the page put there itself, above.
    const { looks, kept, broken } = await user.page.evaluate(() =>
      (globalThis as unknown as { blocks(): Blocks }).blocks(),
    )
    expect(looks).toBeGreaterThan(12)
    expect(kept).toBeGreaterThan(12)
    expect(broken).toEqual([])
  })

  it('loads no picture before its reader asks for it', async () => {
    const asked: string[] = []
    user.page.on('request', (request) => {
      if (request.resourceType() === 'image') asked.push(new URL(request.url()).pathname)
    })
    await visit('#markdown')
    await user.ends('complete')
    expect(await user.answers().locator('.cs-md img').count()).toBe(0)
    expect(asked.filter((path) => path.startsWith('/scenario-media/'))).toEqual([])
    await user.answers().getByRole('button', { name: 'Load image' }).click()
    await expect.poll(() => asked).toContain('/scenario-media/meander.svg')
    await user.answers().getByRole('img', { name: 'A river with four bends' }).waitFor()
  })

  it('from the docs agent says in words what the pages say, with code in frames', async () => {
    await visit()
    await user.ask('How do I show citations in my own way?')
    await user.ends('complete')
    expect(user.posts[0]?.postDataJSON()).toMatchObject({ payload: { capabilities: { prefers_markdown: true } } })
    expect(await user.answers().locator('.cs-md p').count()).toBeGreaterThan(0)
    const shown = await user.text()
    expect(shown).not.toContain('```')
    expect(shown).not.toContain('\\')
  })

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('reads well for axe, in %s at %i', async (colorScheme, width) => {
    await user.page.emulateMedia({ colorScheme })
    await user.page.setViewportSize({ width, height: 800 })
    await visit('#markdown')
    await user.ends('complete')
    await user.page.addScriptTag({
      content: await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    })
    const violations = await user.page.evaluate(async () => {
      // The script above has put it there.
      const { axe } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
      }
      return (await axe.run()).violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
      )
    })
    expect(violations).toEqual([])
    expect(await user.page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(width)
    await user.page.setViewportSize({ width: 1280, height: 800 })
  })
})

describe('the switch in the settings', () => {
  it('turns markdown off: the agent is told, and what it says is shown as it was written', async () => {
    await visit()
    await user.press('Settings')
    const markdown = user.page.getByRole('switch', { name: 'Markdown' })
    expect(await markdown.isChecked()).toBe(true)
    await markdown.uncheck()
    await user.press('Save')
    await user.choose('Markdown')
    await user.ends('complete')
    const posts = user.posts.map(
      (post) => (post.postDataJSON() as { payload: { capabilities: unknown } }).payload.capabilities,
    )
    expect(posts.at(-1)).toMatchObject({ prefers_markdown: false })
    expect(await user.text()).toContain('# River bends, a field guide\n\nWater')
    await user.press('Settings')
    expect(await markdown.isChecked()).toBe(false)
    await user.press('Cancel')
  })
})
