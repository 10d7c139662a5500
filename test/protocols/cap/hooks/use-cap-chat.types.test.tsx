// @vitest-environment jsdom
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { CapClient } from '../../../../src/protocols/cap/client/cap-client.ts'
import { AgentProvider } from '../../../../src/react/agent-provider.tsx'
import { useCapChat } from '../../../../src/protocols/cap/hooks/use-cap-chat.ts'
import type { ChatMessage } from '../../../../src/state/turn.ts'

interface Rivers {
  readonly metadata: { readonly place: string }
  readonly tools: {
    readonly gauge: { readonly input: { readonly id: number }; readonly output: { readonly metres: number } }
    readonly tide: { readonly output: 'high' | 'low' }
  }
  readonly data: readonly { readonly level: number }[]
}

const client = new CapClient({ baseUrl: 'https://agent.example', fetch: () => new Promise(() => {}) })

describe('the types an app claims of its agent', () => {
  it('are those of messages, tools, data and what is sent', () => {
    const levels: number[] = []
    function Page(): ReactNode {
      const { messages, sendMessage } = useCapChat<Rivers>({
        conversationId: '00000000-0000-4000-8000-000000000001',
        initialMessages: [
          { id: 'u', role: 'user', status: 'sent', parts: [], metadata: { place: 'bridge' } },
          {
            id: 'a',
            role: 'assistant',
            status: 'complete',
            parts: [
              {
                type: 'tool-call',
                id: 't',
                name: 'gauge',
                status: 'complete',
                input: { id: 1 },
                output: { metres: 2.14 },
              },
              { type: 'data', id: 'd', data: [{ level: 3 }] },
            ],
          },
        ],
        onEnd: ({ message, status }) => {
          expectTypeOf(message.metadata?.place).toEqualTypeOf<string | undefined>()
          expectTypeOf(status).toEqualTypeOf<'complete' | 'incomplete' | 'stopped' | 'failed' | 'not-sent'>()
        },
      })
      // @ts-expect-error metadata without its place
      const misspelt = (): unknown => sendMessage({ text: 'Why?', metadata: { palce: 'bridge' } })
      expectTypeOf(misspelt).toBeFunction()
      for (const { parts, metadata } of messages) {
        expectTypeOf(metadata).toEqualTypeOf<{ readonly place: string } | undefined>()
        for (const part of parts) {
          if (part.type === 'data') levels.push(...part.data.map(({ level }) => level))
          if (part.type !== 'tool-call') continue
          expectTypeOf(part.name).toEqualTypeOf<'gauge' | 'tide'>()
          if (part.name === 'gauge' && part.status === 'complete') levels.push(part.output?.metres ?? 0)
          if (part.name === 'tide' && part.status === 'failed') expectTypeOf(part.output).toBeUnknown()
        }
      }
      return null
    }
    render(
      <AgentProvider client={client}>
        <Page />
      </AgentProvider>,
    )
    expect(levels).toEqual([2.14, 3])
  })

  it('change nothing where none are claimed', () => {
    expectTypeOf<ReturnType<typeof useCapChat>['messages'][number]>().toExtend<ChatMessage>()
    expectTypeOf<ChatMessage>().toExtend<ReturnType<typeof useCapChat>['messages'][number]>()
    expect(useCapChat).toBeTypeOf('function')
  })
})
