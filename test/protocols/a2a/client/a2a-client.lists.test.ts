import type { GetTaskRequest, ListTaskPushNotificationConfigsRequest, ListTasksRequest } from '@a2a-js/sdk'
import { ListTaskPushNotificationConfigsResponse, TaskState } from '@a2a-js/sdk'
import type { RequestHandler } from 'express'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { A2AGetTaskOptions, A2APageOptions } from '../../../../src/protocols/a2a/client/a2a-client.ts'
import { httpJsonTransport } from '../../../../src/protocols/a2a/client/http-json-transport.ts'
import type { TaskFilter } from '../../../../src/protocols/a2a/client/read-answers.ts'
import { PEERS } from '../../../support/a2a/peers.ts'
import { keepServerQuiet } from '../../../support/a2a/quiet-server.ts'

keepServerQuiet()

/** Answers requests for push notification configurations in pages of one, written by the official SDK. */
const pagesOfConfigs: RequestHandler = (req, res, next) => {
  // The body was read by the handler that counts calls; tests send what the specification says.
  const body = req.body as { readonly id?: number; readonly params?: Record<string, unknown> } | undefined
  if (!/PushNotificationConfigs/i.test(`${req.path} ${JSON.stringify(body ?? {})}`)) return next()
  const { pageSize, pageToken } = body?.params ?? req.query
  const at = pageToken === 'two' ? 2 : 1
  const result = ListTaskPushNotificationConfigsResponse.toJSON({
    configs: [
      {
        tenant: '',
        id: `p${at}`,
        taskId: 't',
        url: `https://hooks.example/${String(pageSize)}`,
        token: '',
        authentication: undefined,
      },
    ],
    nextPageToken: at === 1 ? 'two' : '',
  })
  res.json(body?.id === undefined ? result : { jsonrpc: '2.0', id: body.id, result })
}

describe.each(PEERS.filter(({ lists }) => lists))('lists of $name', ({ serve, connect }) => {
  it('listTasks gives pages with their size and the total, and filters by the time of the status', async () => {
    const client = connect((await serve()).origin)
    for (const text of ['stream 1', 'stream 2', 'ask']) await client.sendMessage(text)
    const first = await client.listTasks({ pageSize: 2 })
    expect(first).toMatchObject({ tasks: [{}, {}], pageSize: 2, totalSize: 3 })
    const second = await client.listTasks({ pageSize: 2, pageToken: first.nextPageToken })
    expect(second).toEqual({ tasks: [expect.anything()], pageSize: 2, totalSize: 3 })
    expect(await client.listTasks({ status: 'TASK_STATE_INPUT_REQUIRED' })).toMatchObject({ totalSize: 1 })
    const past = { statusTimestampAfter: '2020-01-01T00:00:00Z' }
    const future = { statusTimestampAfter: '2120-01-01T00:00:00Z' }
    expect(await client.listTasks(past)).toMatchObject({ tasks: [{}, {}, {}] })
    expect(await client.listTasks(future)).toMatchObject({ tasks: [] })
    await expect(client.listTasks({ statusTimestampAfter: 'yesterday' })).rejects.toMatchObject({ name: 'A2AError' })
  })

  it('listPushNotificationConfigs gives a page and the token of the next', async () => {
    const client = connect((await serve({ first: pagesOfConfigs })).origin)
    const first = await client.listPushNotificationConfigs('t', { pageSize: 1 })
    expect(first).toEqual({
      configs: [{ taskId: 't', id: 'p1', url: 'https://hooks.example/1' }],
      nextPageToken: 'two',
    })
    const { nextPageToken } = first
    expect(await client.listPushNotificationConfigs('t', { pageSize: 1, pageToken: nextPageToken })).toEqual({
      configs: [{ taskId: 't', id: 'p2', url: 'https://hooks.example/1' }],
    })
  })
})

/** The members of requests in the proto, each with a value, as the official SDK generates their types from it. */
const REQUESTS = {
  listTasks: {
    tenant: 't',
    contextId: 'c',
    status: TaskState.TASK_STATE_WORKING,
    pageSize: 2,
    pageToken: 'p',
    historyLength: 3,
    statusTimestampAfter: '2026-01-01T00:00:00Z',
    includeArtifacts: true,
  } satisfies Required<ListTasksRequest>,
  getTask: { tenant: 't', id: 'i', historyLength: 3 } satisfies Required<GetTaskRequest>,
  listTaskPushNotificationConfigs: {
    tenant: 't',
    taskId: 'i',
    pageSize: 2,
    pageToken: 'p',
  } satisfies Required<ListTaskPushNotificationConfigsRequest>,
}

describe('httpJsonTransport', () => {
  it.each(Object.entries(REQUESTS))(
    '%s has every member of the proto in its path or its query',
    async (name, request) => {
      const urls: URL[] = []
      const transport = httpJsonTransport({
        url: 'https://agent.test',
        fetch: async (url) => {
          urls.push(new URL(url))
          return Response.json({})
        },
      })
      // The names of REQUESTS are those of the transport.
      await transport[name as keyof typeof REQUESTS](request, { signal: new AbortController().signal })
      const [url] = urls
      const inPath = url?.pathname.split('/') ?? []
      const expected = Object.entries(request).filter(([, value]) => !inPath.includes(String(value)))
      expect(Object.fromEntries(url?.searchParams ?? [])).toEqual(
        Object.fromEntries(expected.map(([key, value]) => [key, String(value)])),
      )
    },
  )
})

describe('the options of lists', () => {
  it('have the members of the proto, without those that a client sets by itself', () => {
    expectTypeOf<keyof TaskFilter>().toEqualTypeOf<Exclude<keyof ListTasksRequest, 'tenant'>>()
    expectTypeOf<Exclude<keyof A2APageOptions, 'signal'>>().toEqualTypeOf<
      Exclude<keyof ListTaskPushNotificationConfigsRequest, 'tenant' | 'taskId'>
    >()
    expectTypeOf<Exclude<keyof A2AGetTaskOptions, 'signal'>>().toEqualTypeOf<
      Exclude<keyof GetTaskRequest, 'tenant' | 'id'>
    >()
  })
})
