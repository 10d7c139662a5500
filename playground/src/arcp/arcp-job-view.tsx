import type { ReactNode } from 'react'
import type { ArcpJob } from 'capstan/arcp'
import { useArcpArtifact, useArcpJob, useArcpPrompts } from 'capstan/react'
import { CostMeter, JobCard, LogViewer, TokenMeter, PromptCard, PromptTrace, ArtifactView } from 'capstan/components'

interface ArcpJobViewProps {
  readonly id: string
  /** Whether the user is asked here what the job asks. */
  readonly asks: boolean
}

/** A job with all that belongs to it. */
export function ArcpJobView({ id, asks }: ArcpJobViewProps): ReactNode {
  const { job, text, artifacts, cancel, interrupt } = useArcpJob(id)
  if (job === undefined) return null
  const { tool, state, message, percent, current, total, error } = job
  return (
    <JobCard
      title={tool}
      {...{ state, message, percent, current, total, error }}
      onCancel={cancel}
      onInterrupt={interrupt}
    >
      {text !== '' && <p dir="auto">{text}</p>}
      {asks && <Questions jobId={id} />}
      {artifacts.map(({ artifact_id: artifactId }) => (
        <Artifact key={artifactId} id={artifactId} />
      ))}
      <Taken job={job} />
    </JobCard>
  )
}

/** What the job asks and has asked. */
function Questions({ jobId }: { readonly jobId: string }): ReactNode {
  return useArcpPrompts({ jobId, ended: true }).map((controls) => {
    const { id, state } = controls.prompt
    return state === 'open' || state === 'sending' || state === 'unconfirmed' ? (
      <PromptCard key={id} controls={controls} />
    ) : (
      <PromptTrace key={id} prompt={controls.prompt} />
    )
  })
}

function Artifact({ id }: { readonly id: string }): ReactNode {
  const { artifact, content } = useArcpArtifact(id, { load: true })
  return (
    <ArtifactView
      name="gauges.csv"
      mimeType={artifact?.media_type}
      size={artifact?.size}
      {...(content?.text === undefined ? {} : { text: content.text })}
    />
  )
}

function Taken({ job: { usage, logs } }: { readonly job: ArcpJob }): ReactNode {
  return (
    <>
      {usage && <TokenMeter usage={usage} limit={2000} />}
      {usage && <CostMeter usage={usage} limit={0.05} />}
      {logs.length > 0 && <LogViewer entries={logs} />}
    </>
  )
}
