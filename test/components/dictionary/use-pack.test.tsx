// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Chat } from '../../../src/components/chat.tsx'
import { DictionaryProvider } from '../../../src/components/dictionary/dictionary-context.tsx'
import { germanPack } from '../../../src/strings/german-pack.ts'
import { packOf } from '../../../src/components/dictionary/use-pack.ts'
import { PromptCard } from '../../../src/components/prompt-card.tsx'
import { PromptDock } from '../../../src/components/prompt-dock.tsx'
import { PromptStringsProvider } from '../../../src/components/dictionary/prompt-strings-context.tsx'
import { ThreadList } from '../../../src/components/thread-list.tsx'
import { ChatContext } from '../../../src/react/chat-context.ts'
import { german } from '../../../src/locales.ts'
import { germanPrompts, germanThreads } from '../../../src/strings/german-pack.ts'
import type { Thread } from '../../../src/state/thread.ts'
import { promptOf } from '../../support/prompts.ts'
import { createFakeChat } from '../fake-chat.ts'
import '../show.tsx'
import { COUNTS, ENGLISH, OTHERS, stringsOf } from './every-string.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** As the helpers of `capstan/server/models` ask for a tool with `needsApproval`. */
const APPROVAL = promptOf({
  message: '',
  subject: { name: 'send_mail', input: { to: 'ann' }, digest: 'd' },
  options: [
    { id: 'allow-once', label: 'Allow', kind: 'allow-once' },
    { id: 'reject-once', label: 'Deny', kind: 'reject-once' },
  ],
})

const waiting = () =>
  createFakeChat({
    status: 'awaiting-input',
    messages: [
      {
        id: 'a',
        role: 'assistant',
        parts: [{ id: APPROVAL.id, type: 'prompt', prompt: APPROVAL }],
        files: [],
        status: 'complete',
        createdAt: new Date(2025, 2, 9, 10, 56).getTime(),
      },
    ],
  })

const today = new Date()
today.setHours(10, 56)
const thread: Thread = {
  id: 't',
  title: '',
  status: 'awaiting-input',
  unread: true,
  createdAt: 1,
  updatedAt: today.getTime(),
}
const list = <ThreadList threads={[thread]} onSelect={() => {}} onCreate={() => {}} onRemove={() => {}} />

describe('one provider at the top of a page in German', () => {
  it('reaches the chat, the list of conversations and what the agent asks', async () => {
    const chat = waiting()
    const { container } = render(
      <DictionaryProvider strings={german}>
        {list}
        <Chat chat={chat} />
        <ChatContext.Provider value={chat}>
          <PromptDock />
        </ChatContext.Provider>
      </DictionaryProvider>,
    )
    await screen.findByRole('navigation', { name: 'Unterhaltungen' })
    expect(await screen.findAllByText('send_mail erlauben?')).not.toHaveLength(0)
    expect(screen.getByRole('navigation')).toHaveProperty('lang', 'de')
    expect(screen.getByRole('navigation').textContent).toContain('Ohne Titel')
    expect(screen.getByRole('navigation').textContent).toContain('10:56')
    expect(screen.getAllByRole('button', { name: 'Nicht erlauben' })).not.toHaveLength(0)
    expect(container.textContent).not.toMatch(/[AP]M\b|Allow|Deny|Waiting/)
  })

  it('reaches a list of conversations whose strings are its own, and its clock', () => {
    render(<ThreadList threads={[thread]} onSelect={() => {}} strings={germanThreads} />)
    expect(screen.getByRole('navigation', { name: 'Unterhaltungen' })).toHaveProperty('lang', 'de')
    expect(screen.getByText('10:56').isConnected).toBe(true)
  })

  it('reaches a prompt without a dock', async () => {
    render(
      <DictionaryProvider strings={german}>
        <ChatContext.Provider value={waiting()}>
          <PromptCard promptId={APPROVAL.id} />
        </ChatContext.Provider>
      </DictionaryProvider>,
    )
    expect((await screen.findByText(germanPrompts.card.headings.approval)).isConnected).toBe(true)
  })

  it('is enough for a chat to fetch the strings of what it does not show yet, for when it is offline', () => {
    const load = vi.spyOn(packOf('de')!, 'subscribe')
    render(<Chat chat={createFakeChat()} strings={german} />)
    expect(load).toHaveBeenCalled()
  })
})

describe('usePack', () => {
  it('gives way to the provider of the strings around', () => {
    render(
      <PromptStringsProvider strings={germanPrompts}>
        <ChatContext.Provider value={waiting()}>
          <PromptDock />
        </ChatContext.Provider>
      </PromptStringsProvider>,
    )
    expect(screen.getByText(germanPrompts.card.headings.approval).isConnected).toBe(true)
  })

  it('shows nothing until the language is here, on a server too', async () => {
    const page = <DictionaryProvider strings={german}>{list}</DictionaryProvider>
    expect(renderToString(page)).toBe('')
    const container = document.body.appendChild(document.createElement('div'))
    render(page, { container, hydrate: true })
    expect((await screen.findByRole('navigation', { name: 'Unterhaltungen' })).isConnected).toBe(true)
  })

  it('falls back to English where the language cannot be fetched, and is in the language as soon as it can', async () => {
    const pack = packOf('de')!
    vi.spyOn(pack, 'get').mockReturnValue(undefined)
    vi.spyOn(pack, 'hasFailed').mockReturnValue(true)
    const listeners = new Set<() => void>()
    vi.spyOn(pack, 'subscribe').mockImplementation((listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    })
    render(<DictionaryProvider strings={german}>{list}</DictionaryProvider>)
    expect(screen.getByRole('navigation', { name: 'Conversations' }).isConnected).toBe(true)
    vi.mocked(pack.get).mockReturnValue(germanPack)
    act(() => {
      for (const listener of listeners) listener()
    })
    expect(screen.getByRole('navigation', { name: 'Unterhaltungen' }).isConnected).toBe(true)
  })

  it('knows a language by its tag, whatever its region, and no pack for English', () => {
    expect(packOf('de-AT')).toBe(packOf('DE'))
    expect(packOf('zh-Hant-TW')).toBeDefined()
    expect([packOf('en'), packOf('en-GB'), packOf('fr'), packOf('constructor'), packOf(undefined)]).toEqual(
      Array.from({ length: 5 }),
    )
  })
})

const KEYS = ['composer.keyEnter', 'composer.keyShift', 'composer.keyEscape', 'error.status']

/** The same in these languages, on purpose: names of keys and of a standard, and loans that everybody uses. */
const SAME: Readonly<Record<keyof typeof OTHERS, readonly string[]>> = {
  german: [
    'chat.label',
    'message.system',
    'connection.offline',
    'composer.keyEnter',
    'composer.keyEscape',
    'markdown.code',
    'artifact.version',
    'notice.details',
    'error.details',
    'error.status',
    'form.schema',
    'jobs.job.code',
    'jobs.log.levels.debug',
    'jobs.log.levels.info',
    'jobs.usage.tokens',
    'tasks.artifact.version',
    'tasks.agent.streaming',
  ],
  arabic: KEYS,
  chinese: KEYS,
}

const LIMITS = ['form.limits.minLength', 'form.limits.maxLength']

/** One form for every number: a noun that is its own plural, and a number behind a colon. */
const INVARIABLE: Readonly<Record<keyof typeof OTHERS, readonly string[]>> = {
  german: LIMITS,
  arabic: [...LIMITS, 'form.limits.minItems', 'form.limits.maxItems', 'jobs.subscription.dropped'],
  chinese: [],
}

describe.each(['german', 'arabic', 'chinese'] as const)('every string in %s', (name) => {
  const english = stringsOf(ENGLISH)
  const strings = stringsOf(OTHERS[name])

  it('is there', () => {
    const missing = [...english.keys()].filter((path) => !strings.has(path))
    // Messages of errors may have their own forms.
    expect(missing.filter((path) => !path.includes('rrorMessages'))).toEqual([])
  })

  it('is translated', () => {
    const same = [...english].filter(([path, forms]) =>
      forms.some((form, at) => /[a-z]{3}/i.test(form) && form === strings.get(path)?.[at]),
    )
    expect(same.map(([path]) => path)).toEqual(SAME[name])
  })

  it('says something whole for every number', () => {
    const broken = [...strings].flatMap(([path, forms]) =>
      forms
        .filter((form) => form.trim() !== form || form === '' || /undefined|NaN|#|\[object/.test(form))
        .map((form) => `${path}: ${form}`),
    )
    expect(broken).toEqual([])
  })

  it('has the plurals of the language wherever English has two', () => {
    const rules = new Intl.PluralRules(OTHERS[name].language.lang)
    const categories = new Set(COUNTS.map((count) => rules.select(count))).size
    const withoutNumber = (form: string): string => form.replace(/[\d.,\s]+/g, ' ')
    const plurals = [...english].filter(([path, forms]) => {
      const [one, two, five] = [1, 2, 7].map((count) => withoutNumber(forms[COUNTS.indexOf(count)] ?? ''))
      return !path.includes('rrorMessages') && forms.length > 1 && one !== two && two === five
    })
    expect(plurals.length).toBeGreaterThan(5)
    // Of Arabic, two categories have the same word where it is feminine or has none for zero.
    const fewest = Math.min(categories, 4)
    const few = plurals.filter(([path]) => new Set(strings.get(path)?.map(withoutNumber)).size < fewest)
    expect(few.map(([path]) => path)).toEqual(INVARIABLE[name])
  })
})
