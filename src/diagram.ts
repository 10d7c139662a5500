'use client'
export { createDiagram, type DiagramOptions } from './components/create-diagram.tsx'
export type { DiagramStrings } from './strings/diagram-and-math.ts'
