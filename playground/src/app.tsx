import type { ReactNode } from 'react'
import { useEffect, useMemo, useState } from 'react'
import { Chat } from '../../src/components.ts'
import { AgentProvider, ChatContext, useAgentChat } from '../../src/react.ts'
import { BenchContext, useBench } from './bench.ts'
import type { Bench } from './bench.ts'
import { Header } from './header/header.tsx'
import { LinePanel } from './line/line-panel.tsx'
import { Rail } from './rail/rail.tsx'
import { SettingsDialog } from './settings/settings-dialog.tsx'
import { Sheet } from './sheet.tsx'
import { useStore } from './store.ts'
import { useNarrow } from './use-narrow.ts'
import { followConnection } from './wire/follow-connection.ts'

const SUGGESTIONS = ['How does reconnection work?', 'What happens when an agent sends a fatal error?', 'How do I show citations in my own way?', 'What is a packet?']

/** The playground: scenarios, the chat, and the line under it. */
export function App({ bench }: { readonly bench: Bench }): ReactNode {
  const settings = useStore(bench.settings)
  const client = useMemo(() => bench.createClient(settings), [bench, settings])
  useEffect(() => void bench.server.look(), [bench])
  return (
    <BenchContext value={bench}>
      <AgentProvider client={client}>
        <Frame />
      </AgentProvider>
    </BenchContext>
  )
}

function Frame(): ReactNode {
  const { talk, wire, environment } = useBench()
  const { conversationId, prompt } = useStore(talk)
  const chat = useAgentChat({ conversationId })
  const narrow = useNarrow()
  const [sheet, setSheet] = useState<'rail' | 'line' | undefined>()
  const [lineShown, setLineShown] = useState(true)
  const [settingsOpen, setSettingsOpen] = useState(false)
  const closeSheet = (): void => setSheet(undefined)

  useEffect(() => followConnection(chat, wire, environment.clock), [chat, wire, environment])
  useEffect(() => {
    // Asked once, however often this effect runs: the chat knows whether anything was said.
    if (prompt !== undefined && chat.getSnapshot().messages.length === 0) chat.sendMessage(prompt).catch(environment.report)
  }, [chat, prompt, environment])

  const rail = <Rail narrow={narrow} onChosen={closeSheet} onSettings={() => setSettingsOpen(true)} />
  return (
    <ChatContext value={chat}>
      <div className="pg-frame" data-line={lineShown ? '' : undefined}>
        <Header
          lineShown={lineShown}
          onRail={() => setSheet('rail')}
          onLine={() => (narrow ? setSheet('line') : setLineShown(true))}
          onSettings={() => setSettingsOpen(true)}
        />
        {!narrow && (
          <nav className="pg-rail" aria-label="Scenarios">
            {rail}
          </nav>
        )}
        <main className="pg-main">
          <Chat
            key={conversationId}
            chat={chat}
            hideHint
            emptyTitle="Ask capstan about itself"
            suggestions={SUGGESTIONS}
            onSignIn={() => setSettingsOpen(true)}
          />
        </main>
        {!narrow && lineShown && (
          <aside className="pg-panel" aria-label="Line">
            <LinePanel onClose={() => setLineShown(false)} />
          </aside>
        )}
        {narrow && (
          <>
            <Sheet label="Scenarios" open={sheet === 'rail'} onClose={closeSheet}>
              {rail}
            </Sheet>
            <Sheet label="Line" open={sheet === 'line'} onClose={closeSheet}>
              <LinePanel onClose={closeSheet} />
            </Sheet>
          </>
        )}
        <SettingsDialog open={settingsOpen} onClose={() => setSettingsOpen(false)} />
      </div>
    </ChatContext>
  )
}
