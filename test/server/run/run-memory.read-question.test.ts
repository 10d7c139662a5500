import { expect, it } from 'vitest'
import type { ServiceRequest } from '../../../src/protocols/cap/schema/request.ts'
import { filePartsOf, readQuestion } from '../../../src/server/run/run-memory.ts'

const question = (payload: object, metadata: object = {}) =>
  // What is read of a request.
  readQuestion({ payload: { payload, metadata } } as ServiceRequest)

it('reads files as ids and as every part of a ChatMessage that is a file', () => {
  const parts = [
    { type: 'text', content: 'Hello' },
    { type: 'blob', content: 'AAAA', modality: 'image', mime_type: 'image/png', name: 'a.png' },
    { type: 'file', file_id: 'f2', modality: 'text' },
    { type: 'uri', uri: 'https://files.test/a.pdf', modality: 'text', mime_type: 'application/pdf' },
    { type: 'blob' },
    null,
  ]
  expect(question({ query: 'Why?', files: ['f1', 7], parts }).files).toEqual([
    'f1',
    { data: 'AAAA', mimeType: 'image/png', name: 'a.png' },
    { id: 'f2' },
    { id: 'https://files.test/a.pdf', mimeType: 'application/pdf' },
  ])
})

it('reads text and attachments of parts where there is no query', () => {
  const parts = [
    { type: 'text', content: 'Why ' },
    { text: 'so?', attachments: [{ id: 'f1', mime_type: 'image/png' }, 7] },
  ]
  expect(question({ parts })).toEqual({ text: 'Why so?', files: [{ id: 'f1', mimeType: 'image/png' }] })
  expect(question({ query: '', parts }).text).toBe('')
})

it('reads back the files that it writes as parts', () => {
  const files = [
    { data: 'AAAA', mimeType: 'image/png', name: 'a.png' },
    { id: 'https://files.test/a', mimeType: 'text/plain', name: 'a' },
    { id: 'f1' },
  ]
  expect(question({ parts: JSON.parse(JSON.stringify(filePartsOf(files))) }).files).toEqual(files)
})

it('gives the metadata of the app, without what the client says to the server', () => {
  expect(question({}, { replaces: [], state: 1, state_edit: 'x', is_first: true, mood: 'calm' }).metadata).toEqual({
    mood: 'calm',
  })
  expect(question({}, { state: 1 })).not.toHaveProperty('metadata')
})
