'use client'
export { createMath, type MathOptions } from './components/math/create-math.tsx'
export type { MathStrings } from './components/language-pack/math-strings.ts'
export type { MathRenderer, MathRendererProps } from './markdown/view/markdown-renderers.ts'
