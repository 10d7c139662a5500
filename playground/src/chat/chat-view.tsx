import type { ReactNode } from 'react'
import { useEffect } from 'react'
import type { OutgoingMessage } from 'capstan'
import type { ComposerProps, OnAttach } from 'capstan/components'
import { Chat, ChatBanner, ChatDock, Composer, MarkdownProvider } from 'capstan/components'
import { createDiagram } from 'capstan/diagram'
import { createHighlightedCode } from 'capstan/highlight'
import { markdownEngine } from 'capstan/markdown'
import { createMath } from 'capstan/math'
import { useChatContext } from 'capstan/react'
import mermaidUrl from 'mermaid/dist/mermaid.min.js?url'
import { RIVER_NOTES } from '../../server/scenarios/river-prose.ts'
import { isA2AScenarioId } from '../../server/a2a/a2a-scenarios.ts'
import { pageScenarioOf } from '../../server/scenarios/page-scenario.ts'
import { appearance } from '../appearance/appearance.ts'
import { languages } from '../appearance/languages.ts'
import { useBench } from '../bench.ts'
import { isEmbedded } from '../settings/settings.ts'
import { useStore } from '../store.ts'
import { PagedTranscript } from './paged-transcript.tsx'
import { SurveyPlanPanel } from './survey-plan-panel.tsx'
import { carryFile, MOST_FILE_BYTES, TEXT_FILES, uploadFile } from './upload.ts'

const SUGGESTIONS = [
  'How does reconnection work?',
  'What happens when an agent sends a fatal error?',
  'How do I show citations in my own way?',
  'Summarize the page about tabs',
]

const RENDERERS = { code: createDiagram({ mermaidUrl, code: createHighlightedCode() }), math: createMath() }

const HERE: ComposerProps = { onAttach: uploadFile, accept: TEXT_FILES, maxFileBytes: MOST_FILE_BYTES }
const HEARD: ComposerProps = { ...HERE, whenBusy: 'say' }
/** A2A carries files as bytes. */
const BYTES: ComposerProps = { onAttach: carryFile, accept: TEXT_FILES, maxFileBytes: MOST_FILE_BYTES }
const ELSEWHERE: ComposerProps = { onAttach: carryFile, maxFileBytes: MOST_FILE_BYTES }

/** capstan's chat, with what this page adds to it. */
export function ChatView({ onSettings }: { readonly onSettings: () => void }): ReactNode {
  const bench = useBench()
  const { history, scenario } = useStore(bench.talk)
  const settings = useStore(bench.settings)
  const { words } = languages[useStore(appearance).language]
  const chat = useChatContext()
  // Those agents listen while they speak.
  const hears = isEmbedded(settings) && (scenario === undefined || scenario === 'steer')
  const composerProps = isA2AScenarioId(scenario) ? BYTES : isEmbedded(settings) ? (hears ? HEARD : HERE) : ELSEWHERE
  useOpening()
  return (
    <MarkdownProvider engine={settings.markdown ? markdownEngine : 'off'} renderers={RENDERERS}>
      <Chat
        key={chat.conversationId}
        chat={chat}
        strings={words}
        hideHint
        emptyTitle="Ask capstan about itself"
        suggestions={SUGGESTIONS}
        composerProps={composerProps}
        allowedMediaHosts={settings.mediaHosts}
        onSignIn={onSettings}
        {...(scenario === 'shared-plan' && { header: <SurveyPlanPanel /> })}
      >
        {/* Undefined leaves the order of the parts to capstan. */}
        {history === undefined || history.total === history.first.length ? undefined : (
          <>
            <PagedTranscript history={history} />
            <ChatDock>
              <ChatBanner onSignIn={onSettings} />
              <Composer {...composerProps} />
            </ChatDock>
          </>
        )}
      </Chat>
    </MarkdownProvider>
  )
}

/** Says what the talk begins with. */
function useOpening(): void {
  const bench = useBench()
  const { prompt, queued, scenario } = useStore(bench.talk)
  const chat = useChatContext()
  useEffect(() => {
    if (prompt === undefined || !bench.opens(chat)) return
    const open = async (): Promise<void> => {
      const attach = isA2AScenarioId(scenario) ? carryFile : uploadFile
      const attaches = pageScenarioOf(scenario)?.attaches !== undefined
      const message = attaches ? await withSampleFile(prompt, attach) : prompt
      const answered = chat.sendMessage(message)
      for (const question of queued) await chat.sendMessage(question, { whenBusy: 'queue' })
      await answered
    }
    open().catch((cause: unknown) =>
      bench.problem.set(`The scenario could not begin. ${cause instanceof Error ? cause.message : ''}`),
    )
  }, [bench, chat, prompt, queued, scenario])
}

async function withSampleFile(text: string, attach: OnAttach): Promise<OutgoingMessage> {
  const file = new File([RIVER_NOTES], 'river-notes.md', { type: 'text/markdown' })
  const attached = await attach(file, { signal: new AbortController().signal, onProgress: () => {} })
  if ('refused' in attached) throw new Error(`The file that goes with it was refused: ${attached.refused}.`)
  return { text, files: [attached] }
}
