export { createDiagram } from './components/create-diagram.tsx'
export { diagramFrame } from './components/diagram-frame.ts'
