export { createDiagram } from './components/diagram/create-diagram.tsx'
export { diagramFrame } from './components/diagram/diagram-frame.ts'
