import { describe, expect, it } from 'vitest'
import { createServiceRequest } from '../../../../src/protocols/cap/client/cap-request.ts'
import { requestFaults } from '../../../../src/protocols/cap/assert-request.ts'
import { messagePartSchema } from '../dialects/chat-message.ts'
import { serviceRequestSchema } from '../../../../src/protocols/cap/schema/request.ts'
import type { ChatInput } from '../../../../src/seam/chat-input.ts'
import { createManualEnvironment } from '../../../support/manual-environment.ts'

async function payloadOf(files: ChatInput['files']): Promise<unknown> {
  const environment = createManualEnvironment()
  const request = await createServiceRequest(
    { text: 'Run it.', conversationId: environment.uuid(), requestId: environment.uuid(), files },
    undefined,
    environment,
  )
  expect(requestFaults(request)).toEqual([])
  return serviceRequestSchema.parse(JSON.parse(JSON.stringify(request))).payload.payload
}

describe('the files of a message in a ServiceRequest', () => {
  it('are absent when there are none', async () => {
    expect(await payloadOf(undefined)).toEqual({ query: 'Run it.' })
    expect(await payloadOf([])).toEqual({ query: 'Run it.' })
  })

  it('are compared by id, in any notation', async () => {
    expect(await payloadOf(['f1', { id: 'f2', name: 'gauges.csv', size: 48_000 }])).toEqual({
      query: 'Run it.',
      files: ['f1', 'f2'],
    })
  })

  it('go as the blobs of a ChatMessage when they are carried along', async () => {
    const payload = await payloadOf([
      { data: 'AAAA', mimeType: 'image/png', name: 'a.png' },
      { id: 'f1' },
      { data: 'BBBB', mimeType: 'application/pdf' },
      { data: 'CCCC' },
    ])
    const parts = [
      { type: 'blob', content: 'AAAA', modality: 'image', mime_type: 'image/png', name: 'a.png' },
      { type: 'blob', content: 'BBBB', modality: 'text', mime_type: 'application/pdf' },
      { type: 'blob', content: 'CCCC', modality: 'text' },
    ]
    expect(payload).toEqual({ query: 'Run it.', files: ['f1'], parts })
    for (const part of parts) expect(messagePartSchema.safeParse(part).success).toBe(true)
  })
})
