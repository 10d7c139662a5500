// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { MarkdownProvider } from '../src/components/markdown-block/markdown-block.tsx'
import { createDraft, DraftContext } from '../src/components.ts'
import { ChatContext } from '../src/react/chat-context.ts'
import { markdownEngine } from '../src/markdown.ts'
import { connectionAt, createFakeChat, errorOf } from './components/fake-chat.ts'
import { EVERY_PART, MESSAGES } from './theming/every-part.tsx'

/** Blocks of a message, which are created again when their text nodes are replaced. */
const RENEWED = ['p', 'h2', 'h3', 'h4', 'h5', 'h6', 'tr'].map((name) => `.cs-md ${name}`).join()

/** Text nodes with siblings, which React loses when a translator or an extension replaces them. */
function textsWithSiblings(root: Element): readonly string[] {
  const found = new Set<string>()
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const { parentElement: parent } = text
    // Code is not translated, and the coloured text of it never changes.
    if (parent && parent.childNodes.length > 1 && !parent.closest('pre') && !parent.closest(RENEWED))
      found.add(`${parent.localName}.${parent.className}: "${text.textContent}" in ${parent.textContent?.slice(0, 60)}`)
  }
  return [...found]
}

describe('the texts of the parts', () => {
  const chat = createFakeChat({
    messages: MESSAGES,
    status: 'streaming',
    connection: connectionAt({ phase: 'streaming', connections: 1 }),
    error: errorOf(),
  })

  it.each(Object.entries(EVERY_PART))(
    'are each the only child of an element, or in a block of a message: %s',
    (_, show) => {
      const { container } = render(
        <ChatContext.Provider value={chat}>
          <DraftContext.Provider value={createDraft()}>
            <MarkdownProvider engine={markdownEngine}>{show({})}</MarkdownProvider>
          </DraftContext.Provider>
        </ChatContext.Provider>,
      )
      expect(textsWithSiblings(container)).toEqual([])
    },
  )

  it('are found where one has siblings', () => {
    render(
      <p>
        One <b>two</b>
      </p>,
    )
    expect(textsWithSiblings(screen.getByText(/One/))).toHaveLength(1)
  })
})
