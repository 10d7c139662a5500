import type { Agent } from '../../../src/server.ts'
import { event, warning } from '../../../src/server.ts'
import type { Pace } from '../pace.ts'
import { pause, speak } from '../pace.ts'
import { ARTIFACT_ADDRESS, RIVERS } from './river-media.ts'
import { OXBOW_NOTE } from './river-prose.ts'
import { riverSources } from './river-sources.ts'

/** Each kind of presentation event once, the way an agent would mix them. */
export function everyEvent(pace: Pace): Agent {
  return async function* (_request, run) {
    const urlOf = (path: string): string => new URL(path, run.url.origin).href
    const [thought, progress, tool] = [run.uuid(), run.uuid(), run.uuid()]
    const step = (label: string, fraction: number, status: 'running' | 'complete' = 'running') =>
      event('PROGRESS_INDICATOR', { label, status, progress_percent: fraction }, { id: progress })

    yield event(
      'THOUGHT_TRACE',
      { thought: 'Everything at once: first what I think, then what I do, then what I found.', status: 'IN_PROGRESS' },
      { id: thought },
    )
    await pause(run, pace.stepMs * 4)
    yield event(
      'THOUGHT_TRACE',
      {
        thought:
          'Everything at once: first what I think, then what I do, then what I found. A picture and a table will say more than words.',
        status: 'COMPLETE',
      },
      { id: thought },
    )
    yield step('Reading the gauges', 0.2)
    yield event('TOOL_CALL', { name: 'gauges.read', arguments: { reach: 'lower' } }, { id: tool })
    await pause(run, pace.stepMs * 3)
    yield event(
      'TOOL_CALL',
      { name: 'gauges.read', arguments: { reach: 'lower' }, result: { gauges: 31, without_width: 2 } },
      { id: tool },
    )
    yield step('Drawing', 0.7)
    yield* speak(
      'Where the current brushes one side a little harder, that bank wears back. [1] This is what becomes of it:',
      run,
      pace,
    )
    yield event('MEDIA_CAROUSEL', {
      items: [
        {
          url: urlOf('/scenario-media/meander.svg'),
          mime_type: 'image/svg+xml',
          alt_text: 'A river with four bends, seen from above',
        },
        {
          url: urlOf('/scenario-media/oxbow.svg'),
          mime_type: 'image/svg+xml',
          alt_text: 'A nearly straight river; beside it the old loop as a lake',
        },
      ],
    })
    yield* speak('A loop that was cut off has a name of its own. [3]', run, pace)
    yield event('MARKDOWN_BLOCK', { content: OXBOW_NOTE })
    yield* speak('Three rivers and how far they run:', run, pace)
    yield event('DATA_BLOCK', { data: RIVERS, view_hint: 'TABLE' })
    yield event('ARTIFACT', {
      artifact_id: 'rivers',
      url: urlOf(ARTIFACT_ADDRESS),
      mime_type: 'text/csv',
      artifact_type: 'table',
    })
    yield event('USER_ERROR', {
      message: 'The gauge at the bridge is being repaired; its level is from yesterday.',
      code: 503,
      domain: 'tool',
      retryable: true,
    })
    yield event('FLOW_DIAGRAM', { nodes: ['spring', 'brook', 'river', 'sea'], unit: 'm³/s' })
    yield warning('old_index', 'The index is a day old; the newest notes are missing.')
    yield* speak('That is all I can show.', run, pace)
    yield event('CITATION_BLOCK', { citations: riverSources(run.url.origin, 3) })
    yield step('Answered from 31 gauges', 1, 'complete')
  }
}
