'use client'

export { commonLanguages } from './components/highlight/common-languages.ts'
export { createHighlightedCode } from './components/highlight/highlighted-code.tsx'
export type { LineTokenizer, CreateTokenizer } from './components/highlight/block-highlighting.ts'
