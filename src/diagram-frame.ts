export { diagramFrame } from './components/diagram/diagram-frame.ts'
