import type { Major } from './sdk.ts'

/** What is read of a message of the AI SDK. */
export interface UiMessage {
  readonly id: string
  readonly role: string
  readonly parts: readonly (Readonly<Record<string, unknown>> & {
    readonly type: string
    readonly text?: string
    readonly state?: string
    readonly toolCallId?: string
    readonly approval?: { readonly id: string }
  })[]
}

/** What `useChat` is made of. */
export interface UiChat {
  readonly status: string
  readonly error: Error | undefined
  readonly messages: readonly UiMessage[]
  sendMessage(message: {
    text?: string
    messageId?: string
    metadata?: object
    files?: readonly object[]
  }): Promise<void>
  regenerate(): Promise<void>
  stop(): Promise<void>
  /** GET on `{api}/{id}/stream`: what the hook does on mount with `resume: true`. */
  resumeStream(): Promise<void>
  addToolApprovalResponse?(answer: { id: string; approved: boolean }): Promise<void>
  addToolOutput?(output: { tool: string; toolCallId: string; output: unknown }): Promise<void>
  addToolResult?(output: { tool: string; toolCallId: string; output: unknown }): Promise<void>
}

interface AiSdk {
  readonly AbstractChat: new (options: object) => UiChat
  readonly DefaultChatTransport: new (options: object) => object
  readonly lastAssistantMessageIsCompleteWithApprovalResponses: unknown
  readonly lastAssistantMessageIsCompleteWithToolCalls: unknown
}

/** The state of a chat, as the hook has it. */
function chatState(): object {
  let messages: readonly UiMessage[] = []
  return {
    status: 'ready',
    error: undefined,
    get messages() {
      return messages
    },
    set messages(all) {
      messages = all
    },
    pushMessage: (message: UiMessage) => void (messages = [...messages, message]),
    popMessage: () => void (messages = messages.slice(0, -1)),
    replaceMessage: (at: number, message: UiMessage) => void (messages = messages.with(at, structuredClone(message))),
    snapshot: (value: unknown) => structuredClone(value),
  }
}

export interface UiChatOptions {
  readonly api: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** What is sent without being asked for. Absent: nothing. */
  readonly sends?: 'approvals' | 'tools' | undefined
}

/** The real client of the AI SDK: what the hook `useChat` is built on, with its default transport. */
export async function createUiChat(major: Major, { api, fetch, sends }: UiChatOptions): Promise<UiChat> {
  // Its types are those of whichever major it is.
  const ai = (await import(/* @vite-ignore */ `ai-${major}`)) as AiSdk
  class Chat extends ai.AbstractChat {}
  return new Chat({
    id: 'chat-1',
    state: chatState(),
    transport: new ai.DefaultChatTransport({ api, fetch }),
    onError: () => {},
    ...(sends && {
      sendAutomaticallyWhen:
        sends === 'approvals'
          ? ai.lastAssistantMessageIsCompleteWithApprovalResponses
          : ai.lastAssistantMessageIsCompleteWithToolCalls,
    }),
  })
}
