'use client'

export { commonLanguages } from './components/highlight/common-languages.ts'
export { createHighlightedCode } from './components/highlight/highlighted-code.tsx'
export type { LineTokenizer } from './components/highlight/line-tokenizer.ts'
export type { CreateTokenizer } from './components/highlight/block-highlighting.ts'
