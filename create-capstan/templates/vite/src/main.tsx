import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import 'capstan/styles-unlayered.css'
import { ChatPage } from './chat-page'
import './page.css'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id "root".')
createRoot(root).render(
  <StrictMode>
    <ChatPage />
  </StrictMode>,
)
