import type { ReactNode } from 'react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { AgentProvider, ChatContext, useChatInstance } from 'capstan/react'
import { isA2AScenarioId } from '../server/a2a/a2a-scenarios.ts'
import { isArcpScenarioId } from '../server/arcp/arcp-scenarios.ts'
import { About, Problem } from './about.tsx'
import { ArcpPanel } from './arcp/arcp-panel.tsx'
import { ArcpView } from './arcp/arcp-view.tsx'
import { BenchContext, useBench } from './bench.ts'
import type { Bench } from './bench.ts'
import { ChatView } from './chat/chat-view.tsx'
import { Header } from './header/header.tsx'
import { Drawer } from './inspector/drawer.tsx'
import type { TimelinePlace } from './inspector/timeline-place.ts'
import { ConnectionPanel } from './connection/connection-panel.tsx'
import { Modal } from './modal.tsx'
import { Rail } from './rail/rail.tsx'
import { SettingsForm } from './settings/settings-form.tsx'
import { isEmbedded } from './settings/settings.ts'
import { useStore } from './store.ts'
import { useNarrow } from './use-narrow.ts'
import { followConnection } from './wire/follow-connection.ts'

type SheetName = 'rail' | 'connection' | 'settings'

/** The playground: scenarios, the chat, and the connection under it. */
export function App({ bench }: { readonly bench: Bench }): ReactNode {
  const settings = useStore(bench.settings)
  const { scenario } = useStore(bench.talk)
  const overA2A = isA2AScenarioId(scenario)
  const client = useMemo(() => bench.clientOf(overA2A ? 'a2a' : undefined, settings), [bench, overA2A, settings])
  useEffect(() => {
    const look = async (): Promise<void> => {
      await bench.server.look()
      if (bench.server.shape.get() !== undefined || !isEmbedded(bench.settings.get())) return
      bench.problem.set(
        'The agent of this page is not running. Start it with npm run dev, or name another agent in the settings.',
      )
    }
    void look()
  }, [bench])
  useEffect(() => bench.followAddress(), [bench])
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
  const { conversationId, history } = useStore(talk)
  const chat = useChatInstance({ conversationId, initialMessages: history?.first })
  const narrow = useNarrow()
  const [sheet, setSheet] = useState<SheetName | undefined>()
  const main = useRef<HTMLElement>(null)
  const [panelShown, setPanelShown] = useState(true)
  const [place, setPlace] = useState<TimelinePlace>('none')
  // One that makes space for another is told to close, and must not take the other along.
  const closing = (name: SheetName) => (): void => setSheet((now) => (now === name ? undefined : now))

  useEffect(() => followConnection(chat, wire, environment.clock), [chat, wire, environment])
  const openSettings = (): void => setSheet('settings')
  const rail = <Rail narrow={narrow} onChosen={closing('rail')} onSettings={openSettings} />
  const isArcp = isArcpScenarioId(useStore(talk).scenario)
  const connection = (onClose: () => void): ReactNode =>
    isArcp ? (
      <ArcpPanel onClose={onClose} />
    ) : (
      <ConnectionPanel
        key={conversationId}
        place={narrow && place === 'below' ? 'side' : place}
        narrow={narrow}
        onPlace={setPlace}
        onClose={onClose}
      />
    )
  return (
    <ChatContext value={chat}>
      <div className="pg-frame" data-panel={panelShown ? '' : undefined}>
        <Header
          main={main}
          panelShown={panelShown}
          onRail={() => setSheet('rail')}
          onPanel={() => (narrow ? setSheet('connection') : setPanelShown(true))}
          onSettings={openSettings}
        />
        {!narrow && (
          <nav className="pg-rail" aria-label="Scenarios">
            {rail}
          </nav>
        )}
        <main ref={main} className="pg-main" tabIndex={-1}>
          <Problem />
          <About />
          {isArcp ? <ArcpView key={conversationId} /> : <ChatView onSettings={openSettings} />}
          {!narrow && place === 'below' && <Drawer onPlace={setPlace} />}
        </main>
        {!narrow && panelShown && (
          <aside className="pg-panel" aria-label="Connection">
            {connection(() => setPanelShown(false))}
          </aside>
        )}
        <Modal kind="sheet" label="Scenarios" open={narrow && sheet === 'rail'} onClose={closing('rail')}>
          {rail}
        </Modal>
        <Modal kind="sheet" label="Connection" open={narrow && sheet === 'connection'} onClose={closing('connection')}>
          {connection(closing('connection'))}
        </Modal>
        <Modal kind="dialog" label="Settings" open={sheet === 'settings'} onClose={closing('settings')}>
          <SettingsForm onClose={closing('settings')} />
        </Modal>
      </div>
    </ChatContext>
  )
}
