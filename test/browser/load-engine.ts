import { loadEngine } from '../../src/components/markdown-block/lazy-engine.ts'

// Its code comes when the first answer is shown; what is tested here begins after that.
await loadEngine()
