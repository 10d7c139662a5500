import type { ChatMessage, MessagePart } from './message.ts'

/**
 * What an app knows of its own agent, for types only: nothing is checked while the app runs. Name what you know and leave
 * out the rest.
 */
export interface ChatTypes {
  /** Of messages: what `sendMessage` is given with one. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Of tools, by name. */
  readonly tools?: Readonly<Record<string, { readonly input?: unknown; readonly output?: unknown }>> | undefined
  /** Of data parts. */
  readonly data?: unknown
}

type ToolPart = Extract<MessagePart, { readonly type: 'tool-call' }>
type DataPart = Extract<MessagePart, { readonly type: 'data' }>

/** The metadata of messages. */
export type MetadataOf<Types extends ChatTypes> = Types extends {
  readonly metadata: infer Metadata extends Readonly<Record<string, unknown>>
}
  ? Metadata
  : Readonly<Record<string, unknown>>

type InputOf<Tool> = Tool extends { readonly input: infer Input } ? Input : unknown
type OutputOf<Tool> = Tool extends { readonly output: infer Output } ? Output : unknown

/** A call of one of the tools: `name` narrows its input, `status` its output, which is the reason when it failed. */
export type ToolPartOf<Types extends ChatTypes> = Types extends { readonly tools: infer Tools }
  ? {
      [Name in keyof Tools & string]: Omit<ToolPart, 'name' | 'input' | 'output' | 'status'> & {
        readonly name: Name
        readonly input?: InputOf<Tools[Name]> | undefined
      } & (
          | { readonly status: 'running' | 'complete'; readonly output?: OutputOf<Tools[Name]> | undefined }
          | { readonly status: 'failed'; readonly output?: unknown }
        )
    }[keyof Tools & string]
  : ToolPart

/** A data part. */
export type DataPartOf<Types extends ChatTypes> = Types extends { readonly data: infer Data }
  ? Omit<DataPart, 'data'> & { readonly data: Data }
  : DataPart

/** A message whose metadata, tool calls and data have the types of the app. */
export type TypedMessage<Types extends ChatTypes> = Omit<ChatMessage, 'parts' | 'metadata'> & {
  readonly parts: readonly (Exclude<MessagePart, ToolPart | DataPart> | ToolPartOf<Types> | DataPartOf<Types>)[]
  readonly metadata?: MetadataOf<Types> | undefined
}
