// @vitest-environment jsdom
import type { ReactElement } from 'react'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  Chat,
  DictionaryProvider,
  JobCard,
  SessionStatus,
  LeaseList,
  PromptCard,
  PromptDock,
  AgentCardView,
  TaskCard,
  ThreadList,
} from '../../../src/components.ts'
import { packOf } from '../../../src/components/dictionary/use-pack.ts'
import { arabic, german } from '../../../src/locales.ts'
import { promptOf } from '../../support/prompts.ts'
import { EVERY_PART, MESSAGES } from '../../theming/every-part.tsx'
import { answer, createFakeChat, errorOf } from '../fake-chat.ts'
import { show } from '../show.tsx'

/** Buttons of a message, which are in a `Message`, and a picture. */
const WITHOUT_LANG = ['CopyAction', 'EditAction', 'Icon', 'RetryAction']

const PROMPT = promptOf({ message: 'Send it?' })

const PARTS: readonly (readonly [string, ReactElement])[] = [
  ...Object.entries(EVERY_PART)
    .filter(([name]) => !WITHOUT_LANG.includes(name))
    .map(([name, part]) => [name, part({})] as const),
  ['AgentCardView', <AgentCardView key="a" agent={{ name: 'Surveyor', description: 'Surveys rivers' }} />],
  ['JobCard', <JobCard key="j" state="running" />],
  ['LeaseList', <LeaseList key="l" />],
  ['PromptCard', <PromptCard key="p" promptId={PROMPT.id} />],
  ['PromptDock', <PromptDock key="d" />],
  ['SessionStatus', <SessionStatus key="s" phase="idle" />],
  ['TaskCard', <TaskCard key="t" status="working" />],
  ['ThreadList', <ThreadList key="h" threads={[]} onSelect={() => {}} />],
]

const chat = createFakeChat({
  status: 'awaiting-input',
  messages: [...MESSAGES, answer('p', [{ id: PROMPT.id, type: 'prompt', prompt: PROMPT }])],
  error: errorOf(),
})

beforeAll(async () => {
  await Promise.all(['de', 'ar'].map(async (lang) => packOf(lang)?.load()))
})

describe('the language of a part', () => {
  it.each(PARTS)('is on the root of %s where no chat is around it', (_, part) => {
    const { container } = show(chat, <DictionaryProvider strings={german}>{part}</DictionaryProvider>)
    expect(container.firstElementChild?.getAttribute('lang')).toBe('de')
  })

  it.each(PARTS)('is the language of the page on %s without a provider', (_, part) => {
    const { container } = show(chat, part)
    expect(container.querySelectorAll('[lang]')).toHaveLength(0)
  })

  it('is on the root of a chat and on no part inside of it', () => {
    const { container } = show(
      chat,
      <DictionaryProvider strings={arabic}>
        <Chat chat={chat} title="Rivers" />
      </DictionaryProvider>,
    )
    expect([...container.querySelectorAll('[lang]')].map(({ className }) => className)).toEqual(['cs-part cs-chat'])
  })

  it('is on a part of a chat whose strings are of another language', () => {
    const { container } = show(
      chat,
      <Chat chat={chat} strings={arabic}>
        <DictionaryProvider strings={german}>
          <PromptDock />
        </DictionaryProvider>
      </Chat>,
    )
    expect(container.querySelector('.cs-prompt-dock')?.getAttribute('lang')).toBe('de')
  })
})
