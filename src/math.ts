'use client'
export { createMath, type MathOptions } from './components/math/create-math.tsx'
export type { MathStrings } from './components/math/math-strings.ts'
export type { MathRenderer, MathRendererProps } from './markdown/view/markdown-renderers.ts'
