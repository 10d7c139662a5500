'use client'
export { createMath } from './components/math/create-math.tsx'
