import type * as z from 'zod/mini'
import {
  acceptedSchema,
  eventSchema,
  jobErrorSchema,
  jobsSchema,
  resultSchema,
  submitSchema,
  subscribedSchema,
  subscribeSchema,
  unsubscribeSchema,
} from './job.ts'
import {
  ackSchema,
  errorSchema,
  helloSchema,
  listJobsSchema,
  pingSchema,
  pongSchema,
  reasonSchema,
  resumeSchema,
  welcomeSchema,
} from './session.ts'

/** The payload of each type of ARCP 1.1: the 19 of the published runtimes, and three of the specification that only some of them know. */
export const framePayloadSchemas = {
  'session.hello': helloSchema,
  'session.welcome': welcomeSchema,
  'session.error': errorSchema,
  'session.bye': reasonSchema,
  'session.ping': pingSchema,
  'session.pong': pongSchema,
  'session.ack': ackSchema,
  'session.list_jobs': listJobsSchema,
  'session.jobs': jobsSchema,
  'job.submit': submitSchema,
  'job.accepted': acceptedSchema,
  'job.cancel': reasonSchema,
  'job.cancelled': reasonSchema,
  'job.event': eventSchema,
  'job.result': resultSchema,
  'job.error': jobErrorSchema,
  'job.subscribe': subscribeSchema,
  'job.subscribed': subscribedSchema,
  'job.unsubscribe': unsubscribeSchema,
  'session.resume': resumeSchema,
  'session.close': reasonSchema,
  'session.closed': reasonSchema,
} as const

/** A type of ARCP 1.1. */
export type FrameType = keyof typeof framePayloadSchemas

/** What a message of a type of ARCP 1.1 carries. */
export type FramePayload<Type extends FrameType> = z.output<(typeof framePayloadSchemas)[Type]>
