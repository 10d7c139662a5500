'use client'

export { createMath } from './components/create-math.tsx'
