import { createRoot } from 'react-dom/client'
import { createDraft, DraftContext } from '../../src/components.ts'
import { ChatContext } from '../../src/react/chat-context.ts'
import type { ChatInstance as ChatValue } from '../../src/state/chat.ts'
import { createFakeChat, errorOf, connectionAt } from '../components/fake-chat.ts'
import { SchemaForm } from '../../src/components/schema-form/schema-form.tsx'
import { TaskCard } from '../../src/components/task-card.tsx'
import { EVERY_PART, MESSAGES } from './every-part.tsx'

// A page with every part on it, for a browser: loaded as a script after the style sheets of the test.

/** Classes of the host on every part; what they do is up to the sheets. */
const GIVEN = 'given m-[7px] p-[9px] text-[21px] bg-[#123456] rounded-[3px] border-[5px] tracking-[1px]'

const SCHEMA = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', title: 'Name' },
    level: { type: 'number' },
    trend: { enum: ['rising', 'steady', 'falling'] },
    isReported: { type: 'boolean' },
    stations: { type: 'array', items: { type: 'string', enum: ['Lower Ferry', 'Mole'] } },
  },
}

// The fake is a whole chat; it does not change.
const chat: ChatValue = createFakeChat({
  messages: MESSAGES,
  status: 'streaming',
  connection: connectionAt({ phase: 'streaming', connections: 1 }),
  error: errorOf(),
})

const root = document.createElement('main')
document.body.append(root)
createRoot(root).render(
  <ChatContext.Provider value={chat}>
    <DraftContext.Provider value={createDraft()}>
      {Object.entries(EVERY_PART).map(([name, show]) => (
        <div key={name} data-part={name}>
          {show({ className: GIVEN })}
        </div>
      ))}
      {/* Parts of other entry points, whose look is in their own sheets. */}
      <div data-part="SchemaForm">
        <SchemaForm schema={SCHEMA} onSubmit={() => undefined} className={GIVEN} />
      </div>
      <div data-part="TaskCard">
        <TaskCard status="submitted" title="Survey" statusText="Reading gauges" className={GIVEN} />
      </div>
    </DraftContext.Provider>
  </ChatContext.Provider>,
)
