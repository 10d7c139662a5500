'use client'
export { createMath, type MathOptions } from './components/create-math.tsx'
export type { MathRenderer, MathRendererProps } from './markdown/view/markdown-renderers.ts'
