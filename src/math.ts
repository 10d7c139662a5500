'use client'
export { createMath, type MathOptions } from './components/create-math.tsx'
export type { MathStrings } from './strings/diagram-and-math.ts'
export type { MathRenderer, MathRendererProps } from './markdown/view/markdown-props.ts'
