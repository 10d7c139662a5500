import type { ReactElement } from 'react'
import { useState } from 'react'
import type { PromptStrings } from '../../src/strings/prompts.ts'
import { PromptStringsProvider } from '../../src/components/dictionary/prompt-strings-context.tsx'
import { PromptCard } from '../../src/components/prompt-card.tsx'
import type { Dictionary } from '../../src/strings/dictionary.ts'
import { DictionaryProvider } from '../../src/components/dictionary/dictionary-context.tsx'
import { ChatContext } from '../../src/react/chat-context.ts'
import type { Prompt } from '../../src/seam/prompt.ts'
import { answer, part } from './messages.ts'
import { createStillChat } from './still-chat.tsx'

interface PromptShownProps {
  readonly prompt: Prompt
  readonly strings?: Dictionary | undefined
  readonly prompts?: PromptStrings | undefined
  readonly dir?: 'rtl' | undefined
}

/** A prompt in its card, as a chat that does not change has it. */
export function PromptShown({ prompt, strings, prompts, dir }: PromptShownProps): ReactElement {
  const [chat] = useState(() =>
    createStillChat({
      status: 'awaiting-input',
      messages: [answer('a-1', [part(prompt.id, { type: 'prompt', prompt })])],
    }),
  )
  return (
    <ChatContext.Provider value={chat}>
      <DictionaryProvider strings={strings}>
        <PromptStringsProvider strings={prompts}>
          <div dir={dir}>
            <PromptCard promptId={prompt.id} />
          </div>
        </PromptStringsProvider>
      </DictionaryProvider>
    </ChatContext.Provider>
  )
}
