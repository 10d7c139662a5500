import type { Locator, Page, Request } from 'playwright'
import { expect } from 'vitest'

const FIRST_VISIT_MS = 50_000

/** How an answer looked at one moment. */
export interface Look {
  readonly status: string | undefined
  readonly text: string
}

/** The playground as a user meets it, and everything the browser complained about meanwhile. */
export class BenchPage {
  readonly page: Page
  readonly problems: string[] = []
  readonly posts: Request[] = []

  constructor(page: Page) {
    this.page = page
    page.setDefaultTimeout(15_000)
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return
      // A socket that breaks or a refusal is what these tests ask for: the browser notes each, for the address of the call.
      const expected =
        message.text().startsWith('Failed to load resource') &&
        /\/(?:assist|health|files\?name=[^&]*|runs\/[^/]+\/(?:cancel|answer|say))$/.test(message.location().url)
      if (!expected) this.problems.push(message.text())
    })
    page.on('pageerror', (error) => this.problems.push(String(error)))
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/cap/assist')) this.posts.push(request)
    })
  }

  /** Opens the page. Its answers are plain text there, letter by letter what the log holds, unless `markdown` is asked for. */
  async visit(url: string, { markdown = false }: { readonly markdown?: boolean } = {}): Promise<void> {
    const address = new URL(url)
    if (!markdown) address.searchParams.set('markdown', 'off')
    // The development server makes every module of the page at its first visit: a busy machine takes its time.
    await this.page.goto(address.href, { timeout: FIRST_VISIT_MS })
    await this.page.getByRole('textbox', { name: 'Message' }).waitFor({ timeout: FIRST_VISIT_MS })
    await this.#watch()
  }

  /** Keeps every distinct look of the answers, as often as the page changes. */
  async #watch(): Promise<void> {
    await this.page.evaluate(() => {
      const looks: { status: string | undefined; text: string }[] = []
      const look = (): void => {
        const answers = [...document.querySelectorAll<HTMLElement>('.cs-message[data-role="assistant"]')]
        if (answers.length === 0) return
        const text = answers
          .flatMap((answer) => [...answer.querySelectorAll('.cs-prose')].map((prose) => prose.textContent))
          .join('')
        const status = answers.every((answer) => answer.dataset['status'] === 'complete')
          ? 'complete'
          : answers.at(-1)?.dataset['status']
        const last = looks.at(-1)
        if (last?.text !== text || last.status !== status) looks.push({ status, text })
      }
      new MutationObserver(look).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
        attributeFilter: ['data-status'],
      })
      Object.assign(globalThis, { looks })
    })
  }

  /** Forgets what was seen, and begins a conversation with the docs agent: as good as a new page, and faster. */
  async afresh(): Promise<void> {
    await this.choose('Ask the docs')
    await this.page.locator('.cs-empty').waitFor()
    this.posts.length = 0
    this.problems.length = 0
    await this.page.evaluate(() => {
      ;(globalThis as unknown as { looks: Look[] }).looks.length = 0
    })
  }

  /** Distinct looks of the answers so far, oldest first. */
  looks(): Promise<readonly Look[]> {
    return this.page.evaluate(() => (globalThis as unknown as { looks: Look[] }).looks)
  }

  async ask(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Message' }).fill(text)
    await this.page.keyboard.press('Enter')
  }

  /** Attaches a file, and waits until it is in the composer. */
  async attach(name: string, buffer: Buffer): Promise<void> {
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), this.press('Attach files')])
    await chooser.setFiles({ name, mimeType: 'text/plain', buffer })
    await this.page.getByText(name).first().waitFor()
  }

  async choose(title: string): Promise<void> {
    // The word of the outcome is in the same link.
    await this.page
      .getByRole('navigation', { name: 'Scenarios' })
      .getByRole('link', { name: new RegExp(`^${title}(?! \\d)`) })
      .first()
      .click()
  }

  press(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click()
  }

  /** Answers the prompt that is shown, as soon as it takes an answer. */
  async decide(name: string): Promise<void> {
    await this.page.locator('.cs-prompt[data-ready]').getByRole('button', { name }).click()
  }

  /** Sets one field of the settings and closes them. */
  async set(label: string, value: string): Promise<void> {
    await this.press('Settings')
    await this.page.getByLabel(label).fill(value)
    await this.press('Save')
  }

  answers(status?: string): Locator {
    return this.page.locator(
      `.cs-message[data-role="assistant"]${status === undefined ? '' : `[data-status="${status}"]`}`,
    )
  }

  /** Waits for an answer to be like this. */
  async ends(status: string): Promise<void> {
    await this.answers(status).first().waitFor()
  }

  /** The running text of all answers, joined. */
  async text(): Promise<string> {
    return (await this.answers().locator('.cs-prose').allTextContents()).join('')
  }

  /** Waits until so much text is there. */
  async hasText(length: number): Promise<void> {
    await this.page.waitForFunction(
      (least) =>
        [...document.querySelectorAll('.cs-prose')].reduce(
          (sum, { textContent }) => sum + (textContent?.length ?? 0),
          0,
        ) >= least,
      length,
    )
  }

  /** The figure above a word in the foot of the connection panel. */
  async count(word: string): Promise<number> {
    const figure = this.page
      .locator('.pg-counts > div', { has: this.page.getByText(new RegExp(`^${word}s?$`)) })
      .locator('dd')
    return Number(await figure.textContent())
  }

  /** Rows of the packet log that tell what happened to the connection. */
  notes(): Promise<string[]> {
    return this.page.locator('.pg-log-note').allTextContents()
  }

  /** The ids of all runs that were asked for, each once. */
  async requestIds(): Promise<string[]> {
    return [
      ...new Set(await Promise.all(this.posts.map(async (post) => (await post.headerValue('x-request-id')) ?? ''))),
    ]
  }

  /** The one run there was. */
  async requestId(): Promise<string> {
    const ids = await this.requestIds()
    expect(ids).toHaveLength(1)
    return ids[0] ?? ''
  }

  close(): Promise<void> {
    return this.page.close()
  }
}
