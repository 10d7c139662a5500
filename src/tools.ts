'use client'
export { type PartialInput, tool, type ToolViewProps } from './components/tool.tsx'
export type { ShownToolCall, ToolRenderer, ToolRenderers } from './components/message/render-part.ts'
export type { StandardResult, StandardSchema } from './base/standard-schema.ts'
