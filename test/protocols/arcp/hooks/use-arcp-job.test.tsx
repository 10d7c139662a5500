// @vitest-environment jsdom
import { act, cleanup, render, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { memo, Profiler } from 'react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { useArcpJob } from '../../../../src/protocols/arcp/hooks/use-arcp-job.ts'
import { createArcpPage } from '../../../support/arcp-page.tsx'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

afterEach(cleanup)

describe('useArcpJob', () => {
  it('follows a job with its text and artifacts, and is the same object while nothing of it changes', async () => {
    const page = createArcpPage()
    const job = await page.begin()
    const other = await page.begin()
    const { result } = renderHook(() => useArcpJob(job.id), { wrapper: page.wrapper })
    expect(result.current.job).toMatchObject({ id: 'job_1', tool: 'survey', state: 'running' })
    job.emit('job.progress', { percent: 40, message: 'Reading' })
    job.say('Banks ')
    job.say('erode.')
    job.emit('artifact.ref', { artifact_id: 'a1', uri: 'arcp://a1', media_type: 'text/csv', size: 12 })
    await page.rest()
    expect(result.current).toMatchObject({
      job: { percent: 40, message: 'Reading' },
      text: 'Banks erode.',
      artifacts: [{ artifact_id: 'a1' }],
      streams: [{ kind: 'text' }],
    })
    const same = result.current
    other.say('Something else')
    await page.rest()
    expect(result.current).toBe(same)
    job.end('done')
    await page.rest()
    expect(result.current.job).toMatchObject({ state: 'completed', result: { value: 'done' } })
    page.client.close()
  })

  it('cancels and interrupts, and says what became of it', async () => {
    const page = createArcpPage()
    const job = await page.begin()
    const { result } = renderHook(() => useArcpJob(job.id), { wrapper: page.wrapper })
    const interrupted = result.current.interrupt()
    await page.rest()
    expect(await interrupted).toEqual({ status: 'accepted' })
    const cancelled = result.current.cancel()
    await page.rest()
    expect(await cancelled).toEqual({ status: 'accepted' })
    expect(result.current.job).toMatchObject({ state: 'cancelled', cancelled: { source: 'client' } })
    const again = result.current.cancel()
    await page.rest()
    expect(await again).toEqual({ status: 'too-late' })
    page.client.close()
  })

  it('leaves a cancel unconfirmed whose job may still be working', async () => {
    const page = createArcpPage({ abortsCancelled: true })
    const job = await page.begin()
    const { result } = renderHook(() => useArcpJob(job.id), { wrapper: page.wrapper })
    const cancelled = result.current.cancel()
    await page.rest()
    expect(await cancelled).toMatchObject({ status: 'unconfirmed', error: { agentCode: 'ABORTED' } })
    expect(result.current.job).toMatchObject({ state: 'failed', error: { message: 'It may still be working.' } })
    page.client.close()
  })

  it('knows no job that the runtime has told nothing of', () => {
    const page = createArcpPage()
    const { result } = renderHook(() => useArcpJob('job_9'), { wrapper: page.wrapper })
    expect(result.current).toMatchObject({ job: undefined, streams: [], text: '', artifacts: [] })
  })

  it('continues at the runtime when nobody shows it any more', async () => {
    const page = createArcpPage()
    const job = await page.begin()
    const { unmount } = renderHook(() => useArcpJob(job.id), { wrapper: page.wrapper })
    unmount()
    await page.rest(30_000)
    expect(page.runtime.of('cancel')).toEqual([])
    expect(page.runtime.open).toBe(1)
    page.client.close()
  })

  it('commits once a frame with 1,000 jobs, and renders only those that have changed', async () => {
    const page = createArcpPage()
    for (let count = 0; count < 1000; count++) page.client.invoke('survey')
    await page.rest()
    const ids = [...page.runtime.jobs.keys()]
    expect(ids).toHaveLength(1000)
    let commits = 0
    const renders = new Map<string, number>()
    const Row = memo(({ id }: { readonly id: string }): ReactNode => {
      renders.set(id, (renders.get(id) ?? 0) + 1)
      const { job, text } = useArcpJob(id)
      return `${job?.percent} ${text}`
    })
    const rows = (
      <Profiler id="page" onRender={() => (commits += 1)}>
        {ids.map((id) => (
          <Row key={id} id={id} />
        ))}
      </Profiler>
    )
    const { container } = render(page.wrapper({ children: rows }))
    await page.rest()
    commits = 0
    renders.clear()
    const frames = 5
    for (let frame = 0; frame < frames; frame++) {
      // Each job says three things in every frame.
      for (const id of ids) {
        const job = page.job(id)
        job.emit('job.progress', { percent: frame })
        job.say('a')
        job.say('b')
      }
      await act(async () => {
        await page.environment.clock.advance(0)
      })
      expect(commits, 'something was committed between two frames').toBe(frame)
      act(() => page.environment.paint())
      expect(commits).toBe(frame + 1)
    }
    expect(container.textContent).toContain('4 ababababab')
    // StrictMode renders each twice.
    expect(new Set(renders.values())).toEqual(new Set([2 * frames]))
    renders.clear()
    page.job('job_7').say('!')
    await page.rest()
    expect([...renders.keys()]).toEqual(['job_7'])
    page.client.close()
  })
})
