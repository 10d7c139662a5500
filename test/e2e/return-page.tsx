import { createRoot } from 'react-dom/client'
import { CapClient } from '../../src/index.ts'
import { Chat } from '../../src/components.ts'
import { createThreadStore } from '../../src/storage.ts'
import '../../src/styles.css'

// A page with a whole chat over one conversation that is kept, its id behind the `?`: every tab of that address shares its run.

const conversationId = new URLSearchParams(location.search).get('conversation') ?? crypto.randomUUID()
const client = new CapClient({ baseUrl: '/cap' })
const store = createThreadStore({ name: 'return', user: 'u1' })
const chat = store.open({ conversationId, client: () => client })

const root = document.createElement('main')
root.className = 'cs-root'
document.body.append(root)
createRoot(root).render(<Chat chat={chat} />)
store.subscribe(() => {})
void chat.resume()
