import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { CapClient, createChat, type ChatMessage } from '../../src/index.ts'
import { Chat, ThreadList } from '../../src/components.ts'
import { AgentProvider } from '../../src/react.ts'
import '../../src/styles.css'

// A chat with a finished answer, for what leaves and enters it by clipboard and drag: on the page, with `shadow` behind the `?` in a
// shadow root. `#paste` is where other programs would paste.

const ANSWER = `Three **sites** with [a map](https://maps.example/a) bend most.[1]

| Site | Bends |
|---|--:|
| Ash Ford | 4 |
| Oak Weir | 7 |

1. Measure
2. Compare

\`\`\`ts
const bends = 4
\`\`\`
`

const messages: readonly ChatMessage[] = [
  { id: 'u1', role: 'user', status: 'sent', parts: [{ type: 'text', id: 't', text: 'Which *sites* bend?' }] },
  {
    id: 'a1',
    role: 'assistant',
    status: 'complete',
    parts: [
      { type: 'text', id: 't', text: ANSWER },
      {
        type: 'citations',
        id: 'c',
        citations: [{ sourceId: 's', title: 'River atlas', uri: 'https://atlas.example/', snippet: '' }],
      },
    ],
  },
]

const client = new CapClient({ baseUrl: `${location.origin}/cap` })
const chat = createChat({
  client: () => client,
  conversationId: crypto.randomUUID?.() ?? '00000000-0000-4000-8000-00000000000c',
  initialMessages: messages,
})

function Page(): ReactNode {
  return (
    <AgentProvider client={client}>
      <div style={{ display: 'flex', blockSize: '36rem' }}>
        <ThreadList threads={[]} onSelect={() => {}} />
        <Chat chat={chat} title="Rivers" />
      </div>
    </AgentProvider>
  )
}

const host = document.createElement('main')
document.body.append(host)
const query = new URLSearchParams(location.search)
const root = document.createElement('div')
root.className = 'cs-root'
if (query.has('shadow')) {
  const sheet = document.createElement('link')
  sheet.rel = 'stylesheet'
  sheet.href = '/page.css'
  host.attachShadow({ mode: 'open' }).append(sheet, root)
} else host.append(root)
createRoot(root).render(<Page />)

const outside = document.createElement('p')
outside.id = 'outside'
outside.textContent = 'Outside'
document.body.append(outside)

const paste = document.createElement('div')
paste.id = 'paste'
paste.contentEditable = 'true'
paste.style.cssText = 'min-block-size: 3rem; border: 1px solid'
document.body.append(paste)
