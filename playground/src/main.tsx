import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pageAddress } from './address.ts'
import { App } from './app.tsx'
import { createBench } from './bench.ts'
import { restoreAppearance } from './appearance/appearance.ts'
// First, because it says in which order the layers are.
import './playground.css'
import 'capstan/styles.css'
import 'capstan/highlight.css'
import 'capstan/math.css'
import 'capstan/diagram.css'

restoreAppearance()
const root = document.getElementById('app')
if (root === null) throw new Error('index.html has no element with the id "app".')
createRoot(root).render(
  <StrictMode>
    <App bench={createBench(pageAddress)} />
  </StrictMode>,
)
