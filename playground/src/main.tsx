import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { createBench } from './bench.ts'
import { applyTheme } from './header/theme.ts'
// First, because it says in which order the layers stand.
import './playground.css'
import '../../src/styles.css'

applyTheme()
const root = document.getElementById('app')
if (root === null) throw new Error('index.html has no element with the id "app".')
createRoot(root).render(
  <StrictMode>
    <App bench={createBench()} />
  </StrictMode>,
)
